import type { Reply, Script, ScriptedClient } from '../scripted-client.ts';

/** Sends requests, one after the other. Returns the last response. */
export async function read(client: ScriptedClient, token: string, count: number): Promise<Reply> {
	let last = await client.character(token);
	for (let call = 1; call < count; call++) last = await client.character(token);
	return last;
}

export const advance = (client: ScriptedClient, seconds: number) =>
	client.control.request('POST /control/clock', { body: { advance: seconds } });

/** Sends more than the limit, and moves to the reset that the rejected ones wait for. */
export async function waitForReset(client: ScriptedClient, token: string, count = 20): Promise<void> {
	const { headers } = await read(client, token, count);
	const seconds = Number(headers.get('x-ratelimit-reset')) - Date.parse(headers.get('date') ?? '') / 1000;
	await advance(client, seconds + 1);
}

/** Sends requests, with whole seconds between them. */
export async function spread(client: ScriptedClient, token: string, count: number): Promise<void> {
	for (let call = 0; call < count; call++) {
		await client.character(token);
		if (call % 2 === 1) await advance(client, 1);
	}
}

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const token = (await client.signIn()).field('access_token');
	await waitForReset(client, token);
	await read(client, token, 15);
	await advance(client, 20);
	await waitForReset(client, token);
	await spread(client, token, 15);
};
