import { characterPath } from '#client/service-urls.ts';
import { characterByQuery, signIn } from '#features/lessons/token-in-a-url/script.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the token in the query is unknown',
		missing: 'token_in_query',
		run: async (client) => {
			const { access_token } = await signIn(client);
			await characterByQuery(client, 'A'.repeat(43));
			await client.character(access_token);
		}
	},
	{
		name: 'the token is sent in query and header at once',
		missing: 'token_in_query',
		run: async (client) => {
			const { access_token } = await signIn(client);
			await client.send(`${client.baseUrl}${characterPath('Mara Vell')}?access_token=${access_token}`, {
				headers: { authorization: `OAuth ${access_token}` }
			});
		}
	},
	{
		name: 'the header has the scheme Bearer',
		missing: 'token_in_header',
		run: async (client) => {
			const { access_token } = await signIn(client);
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
			const { access_token } = await signIn(client);
			const other = await signIn(client, 'player-two');
			await characterByQuery(client, access_token);
			await client.character(other.access_token);
		}
	},
	{
		name: 'the header was used before the query only',
		missing: 'token_in_header',
		run: async (client) => {
			const { access_token } = await signIn(client);
			await client.character(access_token);
			await characterByQuery(client, access_token);
		}
	},
	{
		name: 'another token is rejected',
		missing: 'leaked_token_rejected',
		run: async (client) => {
			const { access_token } = await signIn(client);
			await characterByQuery(client, access_token);
			await client.character(access_token);
			await characterByQuery(client, 'A'.repeat(43));
		}
	},
	{
		name: 'access of another user is revoked',
		missing: 'leaked_token_rejected',
		run: async (client) => {
			const { access_token } = await signIn(client);
			const other = await signIn(client, 'player-two');
			await characterByQuery(client, access_token);
			await client.character(access_token);
			await client.revoke(other.refresh_token);
			await characterByQuery(client, other.access_token);
			await characterByQuery(client, access_token);
		}
	},
	{
		name: 'the token is refreshed, which leaves the leaked one valid',
		missing: 'leaked_token_rejected',
		run: async (client) => {
			const { access_token, refresh_token } = await signIn(client);
			await characterByQuery(client, access_token);
			const next = await client.refresh(refresh_token);
			await client.character(next.field('access_token'));
			await characterByQuery(client, access_token);
		}
	},
	{
		name: 'the leaked token is rejected for its scheme, and still works',
		missing: 'leaked_token_rejected',
		run: async (client) => {
			const { access_token } = await signIn(client);
			await characterByQuery(client, access_token);
			await client.character(access_token);
			await client.send(client.baseUrl + characterPath('Mara Vell'), {
				headers: { authorization: `Bearer ${access_token}` }
			});
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.choose('Access', 'Offline');
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.open('leak');
	const leaking = await learner.pressForTab('Open character');
	await leaking.see('Mara Vell');
	const withImage = await learner.pressForTab('Open page with image');
	await withImage.see('Referer: ');
	await withImage.see('page-with-image?access_token=');
	await withImage.close();
	await learner.open('viewer');
	await learner.enter('Character name', 'Half/Life');
	await learner.press('Look up');
	await learner.shown('token_in_header');
	await learner.press('Sign out');
	await learner.see('Sign in with Tollgate');
	await leaking.reload();
	await leaking.see('invalid_token');
	await leaking.close();
};
