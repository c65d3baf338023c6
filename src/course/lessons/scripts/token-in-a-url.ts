import { characterPath } from '#client/service-urls.ts';
import type { Reply, ScriptedClient, Script } from '../scripted-client.ts';

/** Reads a character with the token in the query. */
export function characterByQuery(client: ScriptedClient, access_token: string): Promise<Reply> {
	return client.send(`${client.baseUrl}${characterPath('Mara Vell')}?access_token=${access_token}`);
}

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const { access_token, refresh_token } = await client.signInOffline();
	await characterByQuery(client, access_token);
	await client.character(access_token);
	await client.revoke(refresh_token);
	await characterByQuery(client, access_token);
};
