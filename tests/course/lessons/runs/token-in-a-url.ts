import { characterPath } from '#client/service-urls.ts';
import { characterByQuery } from '../scripts/token-in-a-url.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the token in the query is unknown',
		missing: 'token_in_query',
		run: async (client) => {
			const { access_token } = await client.signInOffline();
			await characterByQuery(client, 'A'.repeat(43));
			await client.character(access_token);
		}
	},
	{
		name: 'the token is sent in query and header at once',
		missing: 'token_in_query',
		run: async (client) => {
			const { access_token } = await client.signInOffline();
			await client.send(`${client.baseUrl}${characterPath('Mara Vell')}?access_token=${access_token}`, {
				headers: { authorization: `OAuth ${access_token}` }
			});
		}
	},
	{
		name: 'the header has the scheme Bearer',
		missing: 'token_in_header',
		run: async (client) => {
			const { access_token } = await client.signInOffline();
			await characterByQuery(client, access_token);
			await client.send(client.baseUrl + characterPath('Mara Vell'), {
				headers: { authorization: `Bearer ${access_token}` }
			});
		}
	},
	{
		name: 'the token in the header is that of another user',
		missing: 'token_in_header',
		run: async (client) => {
			const { access_token } = await client.signInOffline();
			const other = await client.signInOffline('player-two');
			await characterByQuery(client, access_token);
			await client.character(other.access_token);
		}
	},
	{
		name: 'the header was used before the query only',
		missing: 'token_in_header',
		run: async (client) => {
			const { access_token } = await client.signInOffline();
			await client.character(access_token);
			await characterByQuery(client, access_token);
		}
	},
	{
		name: 'another token is rejected',
		missing: 'access_revoked',
		run: async (client) => {
			const { access_token } = await client.signInOffline();
			await characterByQuery(client, access_token);
			await client.character(access_token);
			await characterByQuery(client, 'A'.repeat(43));
		}
	},
	{
		name: 'access of another user is revoked',
		missing: 'access_revoked',
		run: async (client) => {
			const { access_token } = await client.signInOffline();
			const other = await client.signInOffline('player-two');
			await characterByQuery(client, access_token);
			await client.character(access_token);
			await client.revoke(other.refresh_token);
			await characterByQuery(client, other.access_token);
			await characterByQuery(client, access_token);
		}
	},
	{
		name: 'the token is refreshed, which leaves the leaked one valid',
		missing: 'access_revoked',
		run: async (client) => {
			const { access_token, refresh_token } = await client.signInOffline();
			await characterByQuery(client, access_token);
			const next = await client.refresh(refresh_token);
			await client.character(next.field('access_token'));
			await characterByQuery(client, access_token);
		}
	},
	{
		name: 'the leaked token is rejected for its scheme, and still works',
		missing: 'access_revoked',
		run: async (client) => {
			const { access_token } = await client.signInOffline();
			await characterByQuery(client, access_token);
			await client.character(access_token);
			await client.send(client.baseUrl + characterPath('Mara Vell'), {
				headers: { authorization: `Bearer ${access_token}` }
			});
		}
	},
	{
		name: 'access is revoked, and the leaked token is not sent again',
		missing: 'leaked_token_rejected',
		run: async (client) => {
			const { access_token, refresh_token } = await client.signInOffline();
			await characterByQuery(client, access_token);
			await client.character(access_token);
			await client.revoke(refresh_token);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.next();
	const leaked = await learner.pressForTab('Open character');
	await leaked.see('Mara Vell');
	await learner.next();
	await learner.press('Look up');
	await learner.next();
	await learner.press('Sign out');
	await learner.next();
	await leaked.reload();
	await leaked.see('invalid_token');
	await leaked.close();
	await learner.next();
};
