import { header, reset, date, read, enter } from '../scripts/reading-the-limits.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'right numbers after four calls',
		missing: 'calls_made',
		run: async (client) => {
			const { last } = await read(client, 4);
			enter(client, header(last, 'x-ratelimit-remaining'), reset(last) - date(last));
		}
	},
	{
		name: 'five calls of which one has no token',
		missing: 'calls_made',
		run: async (client) => {
			await client.character('A'.repeat(43));
			await read(client, 4);
		}
	},
	{
		name: 'the records are requested before the calls only',
		missing: 'limits_requested',
		run: async (client) => {
			const token = (await client.signIn()).field('access_token');
			await client.rateLimits(token);
			for (let call = 0; call < 5; call++) await client.character(token);
		}
	},
	{
		name: 'the records are requested without a token',
		missing: 'limits_requested',
		run: async (client) => {
			const token = (await client.signIn()).field('access_token');
			let last = await client.character(token);
			for (let call = 0; call < 5; call++) last = await client.character(token);
			await client.rateLimits('A'.repeat(43));
			enter(client, header(last, 'x-ratelimit-remaining'), reset(last) - date(last));
		}
	},
	{
		name: 'the calls left are those of the other limit',
		missing: 'calls_left',
		run: async (client) => {
			const { last, limits } = await read(client);
			enter(client, header(limits, 'x-ratelimit-remaining'), reset(last) - date(last));
		}
	},
	{
		name: 'the calls left were right before two more calls',
		missing: 'calls_left',
		run: async (client) => {
			const { last } = await read(client);
			await read(client, 2);
			enter(client, header(last, 'x-ratelimit-remaining'), reset(last) - date(last));
		}
	},
	{
		name: 'the seconds are the reset itself',
		missing: 'seconds_until_reset',
		run: async (client) => {
			const { last } = await read(client);
			enter(client, header(last, 'x-ratelimit-remaining'), reset(last));
		}
	},
	{
		name: 'the seconds are computed with the clock of another machine',
		missing: 'seconds_until_reset',
		run: async (client) => {
			const { offset } = await client.control.request('GET /control/clock');
			const { last } = await read(client);
			enter(client, header(last, 'x-ratelimit-remaining'), reset(last) - (date(last) - offset / 1000));
		}
	},
	{
		name: 'the fields are empty',
		missing: 'calls_left',
		run: async (client) => {
			await read(client);
			enter(client, '', '');
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.next();
	await learner.press('Load 20 in turn');
	await learner.next();
	await learner.press('Request limits');
	await learner.next();
	await learner.enter('Character requests left', await learner.header('X-RateLimit-Remaining'));
	await learner.press('Enter Character requests left');
	const reset = Number(await learner.header('X-RateLimit-Reset'));
	await learner.enter('Seconds until the reset', '1');
	await learner.press('Enter Seconds until the reset');
	await learner.see('Your clock differs');
	const date = Date.parse(await learner.header('Date')) / 1000;
	await learner.enter('Seconds until the reset', String(reset - date));
	await learner.press('Enter Seconds until the reset');
	await learner.next();
};
