import {
	exchangeToken,
	impersonate,
	introspect,
	narrow,
	narrowToken,
	ownToken,
	userToken,
	wide
} from '../scripts/token-exchange.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the user is asked for one permission',
		missing: 'code_issued',
		run: async (client) => {
			await ownToken(client);
			await exchangeToken(client, await userToken(client, narrow), narrow);
		}
	},
	{
		name: 'the exchange keeps all permissions',
		missing: 'narrowed',
		run: async (client) => {
			const actor = await ownToken(client);
			await introspect(
				client,
				(await exchangeToken(client, await userToken(client), wide, actor)).field('access_token')
			);
		}
	},
	{
		name: 'the token of the user is opened',
		missing: 'delegated',
		run: async (client) => {
			const actor = await ownToken(client);
			const token = await userToken(client);
			await exchangeToken(client, token, narrow, actor);
			await introspect(client, token);
		}
	},
	{
		name: 'the second exchange names the actor, too',
		missing: 'without_actor',
		run: async (client) => {
			const token = await narrowToken(client);
			await exchangeToken(client, token, narrow, await ownToken(client));
		}
	},
	{
		name: 'the application may not impersonate',
		missing: 'without_actor',
		run: async (client) => {
			const token = await narrowToken(client);
			await introspect(client, (await exchangeToken(client, token, narrow)).field('access_token'));
		}
	},
	{
		name: 'the token of the user is exchanged again',
		missing: 'not_widened',
		run: async (client) => {
			const token = await userToken(client);
			await impersonate(client, await narrowToken(client));
			await exchangeToken(client, token, `${wide} inventory_read`);
		}
	},
	{
		name: 'the smaller token is exchanged for its own permission',
		missing: 'not_widened',
		run: async (client) => {
			await exchangeToken(client, await impersonate(client, await narrowToken(client)), narrow);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Send request');
	await learner.next();
	await learner.press('Open request');
	await learner.signIn('player-one');
	await learner.next();
	for (let step = 0; step < 6; step++) {
		if (step === 3) await learner.press('Allow impersonation');
		await learner.press('Send request');
		await learner.next();
	}
};
