import type { ScriptedClient, Script } from '../scripted-client.ts';

export const offline = { access_type: 'offline' };
export const twoHours = { advance: 7200 };

/** Signs in online and twice offline. Returns the refresh token. */
export async function signInThreeTimes(client: ScriptedClient): Promise<string> {
	await client.signIn();
	const first = await client.signIn(offline);
	await client.signIn(offline);
	return first.field('refresh_token');
}

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const refresh_token = await signInThreeTimes(client);
	await client.control.request('POST /control/clock', { body: twoHours });
	await client.refresh(refresh_token);
};
