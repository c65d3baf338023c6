import type { Reply, ScriptedClient } from '#course/lessons/scripted-client.ts';

/** Pushes an authorization request of the viewer, with PKCE. */
export async function push(client: ScriptedClient): Promise<Reply> {
	const { client_id, client_secret, redirect_uri } = client.viewer;
	const { code_challenge } = await client.pkce();
	const scope = 'character_read';
	const fields = { response_type: 'code', client_id, client_secret, redirect_uri, scope, state: 's', code_challenge };
	const body = new URLSearchParams({ ...fields, code_challenge_method: 'S256' });
	return client.send(`${client.baseUrl}/ws/oauth2/par`, { method: 'POST', body });
}

/** Opens a pushed request in a browser without a session. `more`: what an attacker adds to its address. */
export function open(
	client: ScriptedClient,
	pushed: Reply,
	more: Readonly<Record<string, string>> = {}
): Promise<Reply> {
	const query = new URLSearchParams({
		client_id: client.viewer.client_id,
		request_uri: pushed.field('request_uri'),
		...more
	});
	const headers = { accept: 'text/html' };
	return client.send(`${client.baseUrl}/ws/oauth2/auth/?${query.toString()}`, { headers });
}

/** Lets a user allow a pushed request. */
export async function allow(
	client: ScriptedClient,
	pushed: Reply,
	as?: Parameters<ScriptedClient['authorize']>[2]
): Promise<void> {
	const none = undefined;
	const query = { request_uri: pushed.field('request_uri'), response_type: none, redirect_uri: none, scope: none };
	await client.authorize({ ...query, state: none }, client.viewer, as);
}

/** Pushes a request, and opens it with one more permission. */
export async function pushAndWiden(client: ScriptedClient): Promise<Reply> {
	const pushed = await push(client);
	await open(client, pushed, { scope: 'character_read location_read' });
	return pushed;
}
