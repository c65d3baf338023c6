import type { ScriptedClient } from '#course/lessons/scripted-client.ts';

const calls = 20;

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
	tokens: { access_token: string; refresh_token: string },
	count = calls
): Promise<void> {
	const call = async () => {
		await client.character(tokens.access_token);
		await client.character(await refresh(client, tokens.refresh_token));
	};
	await Promise.all(Array.from({ length: count }, call));
}
