import type { Reply, Script, ScriptedClient } from '../scripted-client.ts';

export const wide = 'character_read location_read';
export const narrow = 'character_read';
const type = 'urn:ietf:params:oauth:token-type:access_token';

/** Signs a user in at the viewer, with PKCE. Returns the access token. */
export async function userToken(client: ScriptedClient, scope = wide): Promise<string> {
	const { code_challenge, code_verifier } = await client.pkce();
	const code = await client.code({ scope, code_challenge, code_challenge_method: 'S256' });
	return (await client.exchange(code, client.viewer, { code_verifier })).field('access_token');
}

/** Exchanges an access token for another one. */
export function exchangeToken(client: ScriptedClient, subject_token: string, scope: string): Promise<Reply> {
	const { client_id, client_secret } = client.viewer;
	const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
	return client.token({ grant_type, subject_token, subject_token_type: type, scope, client_id, client_secret });
}

/** Gets a narrower token of a user and returns it. */
export const narrowToken = async (client: ScriptedClient): Promise<string> =>
	(await exchangeToken(client, await userToken(client), narrow)).field('access_token');

/** Reads a character with a token of today's standards. */
export const readWith = (client: ScriptedClient, token: string): Promise<Reply> =>
	client.send(`${client.baseUrl}/ws/v2.0/character/Mara%20Vell`, { headers: { authorization: `Bearer ${token}` } });

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const token = await narrowToken(client);
	await readWith(client, token);
	await exchangeToken(client, token, wide);
};
