import type { LimitAlgorithm } from '#api/limit-algorithm.ts';
import type { Script, ScriptedClient } from '../scripted-client.ts';

export async function read(client: ScriptedClient, token: string, count: number): Promise<void> {
	for (let call = 0; call < count; call++) await client.character(token);
}

export const advance = (client: ScriptedClient, minutes: number) =>
	client.control.request('POST /control/clock', { body: { advance: minutes * 60 } });

export const choose = (client: ScriptedClient, limit_algorithm: LimitAlgorithm) =>
	client.control.request('PATCH /control/settings', { body: { limit_algorithm } });

/** One request, a burst before the hour is over, and one after it. */
export async function burst(client: ScriptedClient, token: string, late = 20, after = 20): Promise<void> {
	await read(client, token, 1);
	await advance(client, 55);
	await read(client, token, late);
	await advance(client, 6);
	await read(client, token, after);
}

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const token = (await client.signIn()).field('access_token');
	await burst(client, token);
	await choose(client, 'sliding_log');
	await burst(client, token);
};
