import { onPort, codeOnPort, signInOnPort, stealCode } from '../scripts/no-secrets-on-a-laptop.ts';
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
		name: 'the first code on a port has a challenge',
		missing: 'plain_code_sent',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await signInOnPort(client);
		}
	},
	{
		name: 'the thief has the wrong secret',
		missing: 'code_stolen',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await client.exchange(await client.code({}, onPort), onPort, { client_secret: 'guessed' });
		}
	},
	{
		name: 'the thief steals twice without PKCE',
		missing: 'challenge_sent',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await stealCode(client);
			await stealCode(client);
		}
	},
	{
		name: 'the code with the challenge is a copied one',
		missing: 'challenge_sent',
		run: async (client) => {
			const { code_verifier, code_challenge } = await client.pkce();
			await client.signIn({}, client.companion);
			await stealCode(client);
			const asked = { code_challenge, code_challenge_method: 'S256' };
			const code = await client.code(asked, client.companion);
			await client.exchange(code, client.companion, { code_verifier });
		}
	},
	{
		name: 'the code with the challenge goes to its own application',
		missing: 'thief_rejected',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await stealCode(client);
			await signInOnPort(client);
		}
	},
	{
		name: 'the thief is too late: the code was used',
		missing: 'thief_rejected',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await stealCode(client);
			const { code, code_verifier } = await codeOnPort(client);
			await client.exchange(code, onPort, { code_verifier });
			await client.exchange(code, onPort);
		}
	},
	{
		name: 'the code that the thief ended is sent with its verifier',
		missing: 'second_challenge_sent',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await stealCode(client);
			const { code, code_verifier } = await codeOnPort(client);
			await client.exchange(code, onPort);
			await client.exchange(code, onPort, { code_verifier });
		}
	},
	{
		name: 'the second code with a challenge is not exchanged',
		missing: 'verifier_sent',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await stealCode(client);
			await client.exchange((await codeOnPort(client)).code, onPort);
			await codeOnPort(client);
		}
	}
];

export const walk: Walk = async (learner) => {
	const window = await learner.pressForTab('Open sign-in window');
	await window.signIn('player-one');
	await learner.next();
	for (const result of ['access_token', 'invalid_grant', 'access_token']) {
		const page = await learner.pressForTab('Open request');
		await page.signIn('player-one');
		const address = await page.address(/localhost:50123/);
		await page.close();
		await learner.next();
		await learner.enter('code', address);
		await learner.press('Send request');
		await learner.see(result);
		await learner.next();
	}
};
