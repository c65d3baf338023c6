import { offline, twoHours, signInThreeTimes } from '../scripts/online-and-offline.ts';
import type { NearMiss, Walk } from '../runs.ts';

const playerTwo = { username: 'player-two' };

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the code of the online sign-in is not exchanged',
		missing: 'online_exchanged',
		run: async (client) => {
			await client.code();
			await client.signIn(offline);
			await client.signIn(offline);
		}
	},
	{
		name: 'all sign-ins are offline',
		missing: 'online_exchanged',
		run: async (client) => {
			for (let count = 0; count < 3; count++) await client.signIn(offline);
		}
	},
	{
		name: 'the user denies offline access',
		missing: 'first_offline_exchanged',
		run: async (client) => {
			await client.signIn();
			await client.authorize(offline, client.viewer, { decision: 'deny' });
		}
	},
	{
		name: 'another user signs in offline',
		missing: 'second_offline_exchanged',
		run: async (client) => {
			await client.signIn();
			await client.signIn(offline);
			await client.signIn(offline, client.viewer, playerTwo);
		}
	},
	{
		name: 'the second offline sign-in is online',
		missing: 'second_offline_exchanged',
		run: async (client) => {
			await client.signIn();
			const first = await client.signIn(offline);
			await client.signIn();
			await client.advance(twoHours);
			await client.refresh(first.field('refresh_token'));
		}
	},
	{
		name: 'an installed application gets a refresh token each time',
		missing: 'second_offline_exchanged',
		run: async (client) => {
			await client.signIn({}, client.companion);
			for (let count = 0; count < 2; count++)
				await client.exchange(await client.code({}, client.companion), client.companion, offline);
		}
	},
	{
		name: 'the refresh comes five minutes before the access tokens expire',
		missing: 'refreshed_later',
		run: async (client) => {
			const refresh_token = await signInThreeTimes(client);
			await client.advance(3300);
			await client.refresh(refresh_token);
			await client.advance(twoHours);
		}
	},
	{
		name: 'the last sign-in is newer than the clock change',
		missing: 'refreshed_later',
		run: async (client) => {
			await client.signIn();
			const first = await client.signIn(offline);
			await client.advance(twoHours);
			await client.signIn(offline);
			await client.refresh(first.field('refresh_token'));
		}
	},
	{
		name: 'the refresh token is that of another user',
		missing: 'refreshed_later',
		run: async (client) => {
			await signInThreeTimes(client);
			const other = await client.signIn(offline, client.viewer, playerTwo);
			await client.advance(twoHours);
			await client.refresh(other.field('refresh_token'));
		}
	},
	{
		name: 'access was revoked before the refresh',
		missing: 'refreshed_later',
		run: async (client) => {
			const refresh_token = await signInThreeTimes(client);
			await client.advance(twoHours);
			await client.revoke(refresh_token);
			await client.refresh(refresh_token);
		}
	}
];

export const walk: Walk = async (learner) => {
	for (let signIn = 0; signIn < 3; signIn++) {
		await learner.press('Sign in with Tollgate');
		await learner.signIn('player-one');
		await learner.next();
	}
	await learner.press('Move 2 hours ahead');
	await learner.see('The sandbox is');
	await learner.press('Refresh now');
	await learner.next();
};
