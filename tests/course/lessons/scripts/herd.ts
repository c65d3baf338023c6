import type { ScriptedClient } from '#course/lessons/scripted-client.ts';

/** Sends more than the limit, and moves to the reset that the rejected ones wait for. */
export async function waitForReset(client: ScriptedClient, token: string, count = 20): Promise<void> {
	const { headers } = await client.read(token, count);
	const seconds = Number(headers.get('x-ratelimit-reset')) - Date.parse(headers.get('date') ?? '') / 1000;
	await client.advance(seconds + 1);
}

/** Sends requests, with whole seconds between them. */
export async function spread(client: ScriptedClient, token: string, count: number): Promise<void> {
	for (let call = 0; call < count; call++) {
		await client.character(token);
		if (call % 2 === 1) await client.advance(1);
	}
}
