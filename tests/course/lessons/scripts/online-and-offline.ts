import type { ScriptedClient } from '#course/lessons/scripted-client.ts';

export const offline = { access_type: 'offline' };
export const twoHours = 7200;

/** Signs in online and twice offline. Returns the refresh token. */
export async function signInThreeTimes(client: ScriptedClient): Promise<string> {
	await client.signIn();
	const { refresh_token } = await client.signInOffline();
	await client.signInOffline();
	return refresh_token;
}
