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
		missing: 'verifier_sent',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await client.signIn({}, onPort);
		}
	},
	{
		name: 'the code with the verifier is a copied one',
		missing: 'verifier_sent',
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
		missing: 'thief_rejected',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await signInOnPort(client);
			const { code_verifier } = await client.pkce();
			await client.exchange(await client.code({}, onPort), onPort, { code_verifier });
		}
	},
	{
		name: 'the thief is too late: the code was used',
		missing: 'thief_rejected',
		run: async (client) => {
			await client.signIn({}, client.companion);
			const { code, code_verifier } = await codeOnPort(client);
			await client.exchange(code, onPort, { code_verifier });
			await client.exchange(code, onPort);
		}
	}
];

export const walk: Walk = async (learner) => {
	const popup = await learner.pressForTab('Open sign-in window');
	await popup.signIn('player-one');
	await learner.shown('code_copied');
	await learner.open('request');
	const getCode = async () => {
		await learner.choose('Request', 'Authorization');
		await learner.enter('redirect_uri', 'http://localhost:50123');
		await learner.press('Add PKCE');
		const page = await learner.pressForTab('Open in new tab');
		await page.signIn('player-one');
		const address = await page.address(/[?&]code=/);
		await page.close();
		await learner.choose('Request', 'Code exchange');
		await learner.enter('code', address);
	};
	await learner.select('Application', 'Pocket Companion');
	await getCode();
	await learner.press('Send request');
	await learner.shown('verifier_sent');
	await getCode();
	await learner.turn('Send code_verifier', false);
	await learner.press('Send request');
};
