import { onPort, codeOnPort, signInOnPort } from '#features/lessons/no-secrets-on-a-laptop/script.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the copied code is not exchanged',
		missing: 'code_copied',
		run: async (client) => {
			await client.code({}, client.companion);
			await signInOnPort(client);
			await client.exchange((await codeOnPort(client)).code, onPort);
		}
	},
	{
		name: 'a web application signs in with PKCE',
		missing: 'code_copied',
		run: async (client) => {
			const { code_verifier, code_challenge } = await client.pkce();
			const code = await client.code({ code_challenge, code_challenge_method: 'S256' });
			await client.exchange(code, client.viewer, { code_verifier });
		}
	},
	{
		name: 'the code comes to a port, without PKCE',
		missing: 'challenge_sent',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await client.signIn({}, onPort);
		}
	},
	{
		name: 'the code with the verifier is a copied one',
		missing: 'challenge_sent',
		run: async (client) => {
			const { code_verifier, code_challenge } = await client.pkce();
			const asked = { code_challenge, code_challenge_method: 'S256' };
			const code = await client.code(asked, client.companion);
			await client.exchange(code, client.companion, { code_verifier });
		}
	},
	{
		name: 'the thief has the wrong secret',
		missing: 'thief_rejected',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await signInOnPort(client);
			await client.exchange((await codeOnPort(client)).code, onPort, { client_secret: 'guessed' });
		}
	},
	{
		name: 'the code of the thief had no challenge',
		missing: 'second_challenge_sent',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await signInOnPort(client);
			const { code_verifier } = await client.pkce();
			await client.exchange(await client.code({}, onPort), onPort, { code_verifier });
		}
	},
	{
		name: 'the thief is too late: the code was used',
		missing: 'second_challenge_sent',
		run: async (client) => {
			await client.signIn({}, client.companion);
			const { code, code_verifier } = await codeOnPort(client);
			await client.exchange(code, onPort, { code_verifier });
			await client.exchange(code, onPort);
		}
	},
	{
		name: 'the code with the challenge is not exchanged',
		missing: 'verifier_sent',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await codeOnPort(client);
			await codeOnPort(client);
		}
	}
];

export const walk: Walk = async (learner) => {
	const window = await learner.pressForTab('Open sign-in window');
	await window.signIn('player-one');
	await learner.next();
	for (const button of ['verifier', 'thief']) {
		const page = await learner.pressForTab('Open request');
		await page.signIn('player-one');
		const address = await page.address(/localhost:50123/);
		await page.close();
		await learner.next();
		await learner.enter('code', address);
		await learner.press('Send request');
		await learner.see(button === 'thief' ? 'invalid_grant' : 'access_token');
		await learner.next();
	}
};
