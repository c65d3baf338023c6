import { characterPath } from '#client/service-urls.ts';
import type { Reply, ScriptedClient } from '#course/lessons/scripted-client.ts';

/** Reads a character with the token in the query. */
export function characterByQuery(client: ScriptedClient, access_token: string): Promise<Reply> {
	return client.send(`${client.baseUrl}${characterPath('Mara Vell')}?access_token=${access_token}`);
}
