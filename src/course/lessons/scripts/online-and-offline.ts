import type { ScriptedClient, Script } from '../scripted-client.ts';

export const offline = { access_type: 'offline' };
export const twoHours = 7200;

/** Signs in online and twice offline. Returns the refresh token. */
export async function signInThreeTimes(client: ScriptedClient): Promise<string> {
	await client.signIn();
	const { refresh_token } = await client.signInOffline();
	await client.signInOffline();
	return refresh_token;
}

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const refresh_token = await signInThreeTimes(client);
	await client.advance(twoHours);
	await client.refresh(refresh_token);
};
