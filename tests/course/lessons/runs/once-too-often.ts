import { useToken } from '../scripts/once-too-often.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'no user allows access',
		missing: 'code_issued',
		run: async (client) => {
			await client.exchange('A'.repeat(43));
		}
	},
	{
		name: 'the code is not exchanged',
		missing: 'code_exchanged',
		run: async (client) => {
			await client.code();
		}
	},
	{
		name: 'the first exchange fails and invalidates the code',
		missing: 'code_exchanged',
		run: async (client) => {
			const code = await client.code();
			await client.exchange(code, client.viewer, { redirect_uri: 'https://other.example/callback' });
			await client.exchange(code);
			await client.character('A'.repeat(43));
		}
	},
	{
		name: 'the second exchange is of another code',
		missing: 'code_replayed',
		run: async (client) => {
			const { access_token } = await useToken(client);
			await client.signIn();
			await client.character(access_token);
		}
	},
	{
		name: 'another application exchanges the code',
		missing: 'code_replayed',
		run: async (client) => {
			const { code, access_token } = await useToken(client);
			await client.exchange(code, client.companion);
			await client.character(access_token);
		}
	},
	{
		name: 'the second exchange has a wrong secret',
		missing: 'code_replayed',
		run: async (client) => {
			const { code, access_token } = await useToken(client);
			await client.exchange(code, { ...client.viewer, client_secret: 'wrong' });
			await client.character(access_token);
		}
	},
	{
		name: 'access was revoked before the second exchange',
		missing: 'code_replayed',
		run: async (client) => {
			const { code, access_token, refresh_token } = await useToken(client);
			await client.revoke(refresh_token);
			await client.exchange(code);
			await client.character(access_token);
		}
	},
	{
		name: 'the rejected token is none of this code',
		missing: 'first_token_rejected',
		run: async (client) => {
			const { code } = await useToken(client);
			const other = await useToken(client);
			await client.exchange(code);
			await client.character(other.access_token);
			await client.character('A'.repeat(43));
		}
	},
	{
		name: 'the token has expired before it is sent',
		missing: 'first_token_rejected',
		run: async (client) => {
			const { code, access_token } = await useToken(client);
			await client.exchange(code);
			await client.control.request('POST /control/clock', { body: { advance: 7200 } });
			await client.character(access_token);
		}
	},
	{
		name: 'the token is sent before the second exchange only',
		missing: 'first_token_rejected',
		run: async (client) => {
			const { code } = await useToken(client);
			await client.exchange(code);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Open request');
	await learner.signIn('player-one');
	await learner.next();
	for (let request = 0; request < 4; request++) {
		const isReplay = request === 2;
		if (isReplay) await learner.press('Pause at code exchange');
		await learner.press('Send request');
		if (isReplay) await learner.release();
		await learner.next();
	}
};
