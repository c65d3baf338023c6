import type { ScriptedClient, Script } from '../scripted-client.ts';

const calls = 20;

/** Signs in with a refresh token. */
export async function start(client: ScriptedClient): Promise<{ access: string; refresh: string }> {
	const tokens = await client.signIn({ access_type: 'offline' });
	return { access: tokens.field('access_token'), refresh: tokens.field('refresh_token') };
}

/** Ends all live access tokens of the sandbox. */
export async function endAccessTokens({ control }: ScriptedClient): Promise<void> {
	const { grants } = await control.request('GET /control/credentials');
	for (const { id } of grants.flatMap(({ access_tokens }) => access_tokens))
		await control.request('DELETE /control/credentials/{kind}/{id}', { path: { kind: 'access_tokens', id } });
}

export async function read(client: ScriptedClient, token: string, count = calls): Promise<void> {
	await Promise.all(Array.from({ length: count }, () => client.character(token)));
}

export async function refresh(client: ScriptedClient, token: string): Promise<string> {
	return (await client.refresh(token)).field('access_token');
}

/** Every call meets the ended token, and refreshes on its own. */
export async function refreshEach(
	client: ScriptedClient,
	tokens: { access: string; refresh: string },
	count = calls
): Promise<void> {
	const call = async () => {
		await client.character(tokens.access);
		await client.character(await refresh(client, tokens.refresh));
	};
	await Promise.all(Array.from({ length: count }, call));
}

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const tokens = await start(client);
	await read(client, tokens.access);
	await endAccessTokens(client);
	await refreshEach(client, tokens, 4);
	const access = await refresh(client, tokens.refresh);
	await endAccessTokens(client);
	await read(client, access);
	await read(client, await refresh(client, tokens.refresh));
};
