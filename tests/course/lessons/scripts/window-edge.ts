import type { LimitAlgorithm } from '#api/limit-algorithm.ts';
import type { ScriptedClient } from '#course/lessons/scripted-client.ts';

export const choose = (client: ScriptedClient, limit_algorithm: LimitAlgorithm) =>
	client.control.request('PATCH /control/settings', { body: { limit_algorithm } });

/** One request, a burst before the hour is over, and one after it. */
export async function burst(client: ScriptedClient, token: string, late = 20, after = 20): Promise<void> {
	await client.read(token, 1);
	await client.advance(55 * 60);
	await client.read(token, late);
	await client.advance(6 * 60);
	await client.read(token, after);
}
