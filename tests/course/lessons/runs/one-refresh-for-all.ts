import { endAccessTokens, read, refresh, refreshEach } from '../scripts/one-refresh-for-all.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the access is online, so there is no refresh token',
		missing: 'refresh_token_issued',
		run: async (client) => {
			await read(client, (await client.signIn()).field('access_token'));
		}
	},
	{
		name: 'the token is refreshed before a call meets its end',
		missing: 'calls_rejected',
		run: async (client) => {
			const tokens = await client.signInOffline();
			await endAccessTokens(client);
			await read(client, await refresh(client, tokens.refresh_token));
		}
	},
	{
		name: 'the calls come one after the other, a minute apart',
		missing: 'calls_rejected',
		run: async (client) => {
			const tokens = await client.signInOffline();
			await endAccessTokens(client);
			for (let call = 0; call < 4; call++) {
				await client.character(tokens.access_token);
				await client.advance(60);
			}
			await read(client, await refresh(client, tokens.refresh_token));
		}
	},
	{
		name: 'each call is the first with its own token',
		missing: 'calls_rejected',
		run: async (client) => {
			const tokens = await client.signInOffline();
			let access = tokens.access_token;
			for (let call = 0; call < 5; call++) {
				await endAccessTokens(client);
				await client.character(access);
				access = await refresh(client, tokens.refresh_token);
				await client.character(access);
			}
		}
	},
	{
		name: 'only the first call is repeated',
		missing: 'separate_refreshes',
		run: async (client) => {
			const tokens = await client.signInOffline();
			await endAccessTokens(client);
			await read(client, tokens.access_token);
			await read(client, await refresh(client, tokens.refresh_token), 1);
		}
	},
	{
		name: 'the first load shares its refresh already',
		missing: 'separate_refreshes',
		run: async (client) => {
			const tokens = await client.signInOffline();
			await endAccessTokens(client);
			await read(client, tokens.access_token);
			await read(client, await refresh(client, tokens.refresh_token));
		}
	},
	{
		name: 'each call refreshes separately',
		missing: 'one_refresh',
		run: async (client) => {
			const tokens = await client.signInOffline();
			await endAccessTokens(client);
			await refreshEach(client, tokens);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.next();
	for (const isShared of [false, true]) {
		await learner.turn('Share one refresh', isShared);
		await learner.press('Revoke access token');
		await learner.see('The application does not know yet');
		await learner.press('Load 20 at once');
		await learner.next();
	}
};
