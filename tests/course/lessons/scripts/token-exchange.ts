import type { Reply, ScriptedClient } from '#course/lessons/scripted-client.ts';

export const wide = 'character_read location_read';
export const narrow = 'character_read';
const type = 'urn:ietf:params:oauth:token-type:access_token';

/** Signs a user in at the viewer, with PKCE. Returns the access token. */
export async function userToken(client: ScriptedClient, scope = wide): Promise<string> {
	const { code_challenge, code_verifier } = await client.pkce();
	const code = await client.code({ scope, code_challenge, code_challenge_method: 'S256' });
	return (await client.exchange(code, client.viewer, { code_verifier })).field('access_token');
}

/** An access token of the viewer for itself. */
export async function ownToken(client: ScriptedClient): Promise<string> {
	const { client_id, client_secret } = client.viewer;
	return (await client.token({ grant_type: 'client_credentials', client_id, client_secret })).field('access_token');
}

/** Exchanges an access token for another one. */
export function exchangeToken(
	client: ScriptedClient,
	subject_token: string,
	scope: string,
	actor_token?: string
): Promise<Reply> {
	const { client_id, client_secret } = client.viewer;
	const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
	const actor = actor_token === undefined ? {} : { actor_token, actor_token_type: type };
	const audience = 'https://helper.example';
	const sent = { grant_type, subject_token, subject_token_type: type, scope, audience, ...actor };
	return client.token({ ...sent, client_id, client_secret });
}

/** Says what a token is worth. */
export function introspect(client: ScriptedClient, token: string): Promise<Reply> {
	const { client_id, client_secret } = client.viewer;
	const body = new URLSearchParams({ token, client_id, client_secret });
	return client.send(`${client.baseUrl}/ws/oauth2/introspect`, { method: 'POST', body });
}

/** Gets a narrower token of a user that names the viewer, and opens it. Returns it. */
export async function narrowToken(client: ScriptedClient): Promise<string> {
	const actor = await ownToken(client);
	const token = (await exchangeToken(client, await userToken(client), narrow, actor)).field('access_token');
	await introspect(client, token);
	return token;
}

/** Lets the viewer exchange tokens without naming itself. */
export const allowImpersonation = (client: ScriptedClient): Promise<unknown> =>
	client.control.request('PATCH /control/applications/{client_id}', {
		path: { client_id: client.viewer.client_id },
		body: { token_exchange: 'impersonation' }
	});

/** Exchanges a token for one that names no actor, and opens it. Returns it. */
export async function impersonate(client: ScriptedClient, token: string): Promise<string> {
	await allowImpersonation(client);
	const other = (await exchangeToken(client, token, narrow)).field('access_token');
	await introspect(client, other);
	return other;
}
