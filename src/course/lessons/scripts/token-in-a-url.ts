import { characterPath } from '#client/service-urls.ts';
import type { Reply, ScriptedClient, Script } from '../scripted-client.ts';

/** Reads a character with the token in the query. */
export function characterByQuery(client: ScriptedClient, access_token: string): Promise<Reply> {
	return client.send(`${client.baseUrl}${characterPath('Mara Vell')}?access_token=${access_token}`);
}

export async function signIn(client: ScriptedClient, username = 'player-one') {
	const tokens = await client.signIn({ access_type: 'offline' }, client.viewer, { username });
	return { access_token: tokens.field('access_token'), refresh_token: tokens.field('refresh_token') };
}

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const { access_token, refresh_token } = await signIn(client);
	await characterByQuery(client, access_token);
	await client.character(access_token);
	await client.revoke(refresh_token);
	await characterByQuery(client, access_token);
};
