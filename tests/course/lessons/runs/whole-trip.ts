import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the user denies access',
		missing: 'code_issued',
		run: async (client) => {
			await client.authorize({}, client.viewer, { decision: 'deny' });
		}
	},
	{
		name: 'the code is exchanged with another redirect URI',
		missing: 'code_exchanged',
		run: async (client) => {
			const redirect_uri = 'https://other.example/callback';
			await client.exchange(await client.code(), client.viewer, { redirect_uri });
		}
	},
	{
		name: 'the character is read with the token of another sign-in',
		missing: 'character_read',
		run: async (client) => {
			await client.signIn();
			await client.character('A'.repeat(43));
		}
	},
	{
		name: 'the two halves belong to different sign-ins',
		missing: 'code_exchanged',
		run: async (client) => {
			const tokens = await client.signIn({}, client.companion);
			await client.control.request('DELETE /control/traffic');
			await client.character(tokens.field('access_token'));
			await client.code();
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.next();
	await learner.press('Look up');
	await learner.next();
};
