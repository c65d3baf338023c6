import {
	exchangeToken,
	narrow,
	narrowToken,
	readWith,
	userToken,
	wide
} from '#course/lessons/scripts/token-exchange.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the user is asked for one permission',
		missing: 'code_issued',
		run: async (client) => {
			await exchangeToken(client, await userToken(client, narrow), narrow);
		}
	},
	{
		name: 'the exchange keeps all permissions',
		missing: 'narrowed',
		run: async (client) => {
			const token = (await exchangeToken(client, await userToken(client), wide)).field('access_token');
			await readWith(client, token);
		}
	},
	{
		name: 'the token of the user is passed on',
		missing: 'called',
		run: async (client) => {
			const token = await userToken(client);
			await exchangeToken(client, token, narrow);
			await readWith(client, token);
		}
	},
	{
		name: 'the token of the user is exchanged again',
		missing: 'not_widened',
		run: async (client) => {
			const token = await userToken(client);
			await readWith(client, (await exchangeToken(client, token, narrow)).field('access_token'));
			await exchangeToken(client, token, `${wide} inventory_read`);
		}
	},
	{
		name: 'the smaller token is exchanged for its own permission',
		missing: 'not_widened',
		run: async (client) => {
			const token = await narrowToken(client);
			await readWith(client, token);
			await exchangeToken(client, token, narrow);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Open request');
	await learner.signIn('player-one');
	await learner.next();
	for (let step = 0; step < 4; step++) {
		await learner.press('Send request');
		await learner.next();
	}
};
