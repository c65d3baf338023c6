import { burst, choose } from '../scripts/window-edge.ts';
import type { ScriptedClient } from '#course/lessons/scripted-client.ts';
import type { NearMiss, Walk } from '../runs.ts';

const signIn = async (client: ScriptedClient) => (await client.signIn()).field('access_token');

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the limit of the sandbox is raised',
		missing: 'window_opened',
		run: async (client) => {
			const token = await signIn(client);
			await client.control.request('PATCH /control/settings', { body: { limits: { character: 100 } } });
			await burst(client, token);
		}
	},
	{
		name: 'the first burst follows at once',
		missing: 'late_burst',
		run: async (client) => {
			const token = await signIn(client);
			await client.read(token, 21);
			await client.advance(61 * 60);
			await client.read(token, 20);
		}
	},
	{
		name: 'the second burst comes before the reset',
		missing: 'past_limit',
		run: async (client) => {
			const token = await signIn(client);
			await client.read(token, 1);
			await client.advance(55 * 60);
			await client.read(token, 20);
			await client.advance(2 * 60);
			await client.read(token, 20);
		}
	},
	{
		name: 'the second burst comes an hour later',
		missing: 'past_limit',
		run: async (client) => {
			const token = await signIn(client);
			await client.read(token, 1);
			await client.advance(55 * 60);
			await client.read(token, 20);
			await client.advance(60 * 60);
			await client.read(token, 20);
		}
	},
	{
		name: 'the algorithm is not changed',
		missing: 'log_opened',
		run: async (client) => {
			const token = await signIn(client);
			await burst(client, token);
			await client.advance(61 * 60);
			await burst(client, token);
		}
	},
	{
		name: 'the sliding counter takes the place of the log',
		missing: 'log_opened',
		run: async (client) => {
			const token = await signIn(client);
			await burst(client, token);
			await choose(client, 'sliding_counter');
			await burst(client, token);
		}
	},
	{
		name: 'the log is full at once, without an edge',
		missing: 'log_burst',
		run: async (client) => {
			const token = await signIn(client);
			await burst(client, token);
			await choose(client, 'sliding_log');
			await client.read(token, 40);
		}
	},
	{
		name: 'the log sees no second burst',
		missing: 'log_rejects',
		run: async (client) => {
			const token = await signIn(client);
			await burst(client, token);
			await choose(client, 'sliding_log');
			await burst(client, token, 25, 1);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.next();
	for (const first of ['', 'Change to sliding log']) {
		if (first !== '') await learner.press(first);
		await learner.press('Send one request');
		await learner.next();
		await learner.press('Move to before the reset');
		await learner.press('Load 20 at once');
		await learner.next();
		await learner.press('Move past the reset');
		await learner.press('Load 20 at once');
		await learner.next();
	}
};
