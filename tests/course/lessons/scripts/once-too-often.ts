import type { ScriptedClient } from '#course/lessons/scripted-client.ts';

/** Signs a user in and reads a character. */
export async function useToken(
	client: ScriptedClient
): Promise<{ code: string; access_token: string; refresh_token: string }> {
	const code = await client.code({ access_type: 'offline' });
	const tokens = await client.exchange(code);
	const access_token = tokens.field('access_token');
	await client.character(access_token);
	return { code, access_token, refresh_token: tokens.field('refresh_token') };
}
