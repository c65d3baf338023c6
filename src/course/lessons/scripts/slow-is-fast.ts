import type { ScriptedClient, Script } from '../scripted-client.ts';

/** The window of this lesson, in seconds. */
const window = 10;

export async function read(client: ScriptedClient, token: string, count: number): Promise<void> {
	for (let call = 0; call < count; call++) await client.character(token);
}

export const nextWindow = (client: ScriptedClient) =>
	client.control.request('POST /control/clock', { body: { advance: window + 1 } });

/** Signs in, and meets the limit. Returns the access token. */
export async function exceedLimit(client: ScriptedClient, count = 25): Promise<string> {
	const token = (await client.signIn()).field('access_token');
	await read(client, token, count);
	return token;
}

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const token = await exceedLimit(client);
	await nextWindow(client);
	await read(client, token, 20);
	await nextWindow(client);
	await read(client, token, 20);
};
