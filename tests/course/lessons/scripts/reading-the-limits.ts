import type { Reply, ScriptedClient } from '#course/lessons/scripted-client.ts';

export const header = ({ headers }: Reply, name: string) => headers.get(name) ?? '';
export const reset = (reply: Reply) => Number(header(reply, 'x-ratelimit-reset'));
export const date = (reply: Reply) => Date.parse(header(reply, 'date')) / 1000;

/** Reads characters and the rate limit records. Returns the last response of each. */
export async function read(client: ScriptedClient, count = 5): Promise<{ last: Reply; limits: Reply }> {
	const token = (await client.signIn()).field('access_token');
	const last = await client.read(token, count);
	return { last, limits: await client.rateLimits(token) };
}

export function enter(client: ScriptedClient, callsLeft: number | string, seconds: number | string): void {
	client.enter('calls_left', String(callsLeft));
	client.enter('seconds_until_reset', String(seconds));
}
