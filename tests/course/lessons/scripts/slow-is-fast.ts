import type { ScriptedClient } from '#course/lessons/scripted-client.ts';

/** The window of this lesson, in seconds. */
const window = 10;

export const nextWindow = (client: ScriptedClient) => client.advance(window + 1);

/** Signs in, and meets the limit. Returns the access token. */
export async function exceedLimit(client: ScriptedClient, count = 25): Promise<string> {
	const token = (await client.signIn()).field('access_token');
	await client.read(token, count);
	return token;
}
