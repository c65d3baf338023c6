import { search } from '../scripts/cost.ts';
import type { ScriptedClient } from '#course/lessons/scripted-client.ts';
import type { NearMiss, Walk } from '../runs.ts';

const signIn = async (client: ScriptedClient) => (await client.signIn()).field('access_token');

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'only cheap requests are sent',
		missing: 'expensive_read',
		run: async (client) => {
			const token = await signIn(client);
			for (let call = 0; call < 5; call++) await client.character(token);
		}
	},
	{
		name: 'a slow request costs nothing more, because the setting is changed',
		missing: 'expensive_read',
		run: async (client) => {
			const token = await signIn(client);
			await client.control.request('PATCH /control/settings', { body: { limits: { slow_cost: 1 } } });
			await client.character(token);
			await search(client, token);
			await search(client, token);
		}
	},
	{
		name: 'the window ends before the second one',
		missing: 'expensive_rejected',
		run: async (client) => {
			const token = await signIn(client);
			await client.character(token);
			await search(client, token);
			await client.control.request('POST /control/clock', { body: { advance: 3601 } });
			await search(client, token);
		}
	},
	{
		name: 'nothing is left, so the rejection is no surprise',
		missing: 'expensive_rejected',
		run: async (client) => {
			const token = await signIn(client);
			await client.character(token);
			await search(client, token);
			for (let call = 0; call < 39; call++) await client.character(token);
			await search(client, token);
		}
	},
	{
		name: 'the last request is expensive, too',
		missing: 'cheap_after',
		run: async (client) => {
			const token = await signIn(client);
			await client.character(token);
			await search(client, token);
			await search(client, token);
			await search(client, token);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.next();
	for (let step = 0; step < 4; step++) {
		await learner.press('Send one request');
		await learner.next();
	}
};
