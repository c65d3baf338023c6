import { spread, waitForReset } from '../scripts/herd.ts';
import type { ScriptedClient } from '#course/lessons/scripted-client.ts';
import type { NearMiss, Walk } from '../runs.ts';

const signIn = async (client: ScriptedClient) => (await client.signIn()).field('access_token');

/** What shows the herd. */
async function returnTogether(client: ScriptedClient): Promise<string> {
	const token = await signIn(client);
	await waitForReset(client, token);
	await client.read(token, 15);
	await client.advance(20);
	return token;
}

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the clients return before the reset',
		missing: 'herd_returned',
		run: async (client) => {
			const token = await signIn(client);
			await client.read(token, 20);
			await client.advance(5);
			await client.read(token, 15);
		}
	},
	{
		name: 'only ten clients wait',
		missing: 'herd_returned',
		run: async (client) => {
			const token = await signIn(client);
			await waitForReset(client, token, 15);
			await client.read(token, 15);
		}
	},
	{
		name: 'the clients are spread in both runs',
		missing: 'herd_returned',
		run: async (client) => {
			const token = await signIn(client);
			await waitForReset(client, token);
			await spread(client, token, 15);
			await client.advance(20);
		}
	},
	{
		name: 'the second run is a herd, too',
		missing: 'spread',
		run: async (client) => {
			const token = await returnTogether(client);
			await waitForReset(client, token);
			await client.read(token, 15);
		}
	},
	{
		name: 'the jitter is below the reset',
		missing: 'spread',
		run: async (client) => {
			const token = await returnTogether(client);
			await client.read(token, 20);
			await spread(client, token, 15);
		}
	},
	{
		name: 'the limit is raised before the second run',
		missing: 'spread',
		run: async (client) => {
			const token = await returnTogether(client);
			await client.control.request('PATCH /control/settings', { body: { limits: { character: 100 } } });
			await spread(client, token, 15);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.next();
	await learner.press('Start 20 clients');
	await learner.next();
	await learner.press('Start 20 clients');
	await learner.next();
};
