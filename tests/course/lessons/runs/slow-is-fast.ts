import { nextWindow, exceedLimit } from '../scripts/slow-is-fast.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the client stops at the limit',
		missing: 'limit_met',
		run: async (client) => {
			const token = await exceedLimit(client, 20);
			await nextWindow(client);
			await client.read(token, 20);
		}
	},
	{
		name: 'calls are rejected for their token, not for the limit',
		missing: 'signed_in',
		run: async (client) => {
			await client.read('A'.repeat(43), 19);
		}
	},
	{
		name: 'the client exceeds the limit in every window',
		missing: 'forty_characters',
		run: async (client) => {
			const token = await exceedLimit(client);
			for (let run = 0; run < 3; run++) {
				await nextWindow(client);
				await client.read(token, 24);
			}
		}
	},
	{
		name: 'the first window counts as part of the run',
		missing: 'forty_characters',
		run: async (client) => {
			const token = await exceedLimit(client, 21);
			await nextWindow(client);
			await client.read(token, 20);
		}
	},
	{
		name: 'the limit is raised',
		missing: 'forty_characters',
		run: async (client) => {
			const token = await exceedLimit(client);
			await client.control.request('PATCH /control/settings', { body: { limits: { character: 600 } } });
			await nextWindow(client);
			await client.read(token, 30);
			await nextWindow(client);
			await client.read(token, 30);
		}
	},
	{
		name: 'the second half comes from another address',
		missing: 'forty_characters',
		run: async (client) => {
			const token = await exceedLimit(client);
			await nextWindow(client);
			await client.read(token, 20);
			const headers = { authorization: `OAuth ${token}`, 'x-tollgate-address': '203.0.113.7' };
			for (let call = 0; call < 20; call++)
				await client.send(`${client.baseUrl}/ws/v2.0/character/Mara%20Vell`, { headers });
		}
	},
	{
		name: 'the client signs in again after a rejected call',
		missing: 'forty_characters',
		run: async (client) => {
			let token = await exceedLimit(client);
			await nextWindow(client);
			await client.read(token, 21);
			token = (await client.signIn()).field('access_token');
			await nextWindow(client);
			await client.read(token, 20);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.next();
	await learner.press('Load 20 at once');
	await learner.press('Load 20 at once');
	await learner.next();
	await learner.press('Load 20 in turn');
	await learner.press('Load 20 in turn');
	await learner.next();
};
