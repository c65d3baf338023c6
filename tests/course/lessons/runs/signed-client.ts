import { sendAssertion, sendSecret, signIn, signInAndSteal } from '../scripts/signed-client.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the application has no key',
		missing: 'signed_in',
		run: async (client) => {
			await sendSecret(client);
		}
	},
	{
		name: 'the thief has a wrong secret of an application without keys',
		missing: 'secret_rejected',
		run: async (client) => {
			await signIn(client);
			await client.token({ grant_type: 'client_credentials', ...client.companion });
		}
	},
	{
		name: 'each assertion is new',
		missing: 'replayed',
		run: async (client) => {
			const { signer } = await signIn(client);
			await sendSecret(client);
			await sendAssertion(client, await signer.assertion(client.viewer.client_id));
		}
	},
	{
		name: 'the assertion has expired',
		missing: 'replayed',
		run: async (client) => {
			const { signer } = await signIn(client);
			await sendSecret(client);
			await sendAssertion(client, await signer.assertion(client.viewer.client_id, 'expired'));
		}
	},
	{
		name: 'no assertion is for another server',
		missing: 'other_server',
		run: async (client) => {
			const { sent } = await signIn(client);
			await sendSecret(client);
			await sendAssertion(client, sent);
		}
	},
	{
		name: 'the key was never registered',
		missing: 'old_key_rejected',
		run: async (client) => {
			const signer = await signInAndSteal(client);
			await sendAssertion(client, await signer.assertion(client.viewer.client_id, 'old key'));
		}
	}
];

export const walk: Walk = async (learner) => {
	for (const isKey of [true, false, false, false, true]) {
		if (isKey) {
			await learner.press('Register key');
			await learner.see('The service knows a public key.');
		}
		await learner.press('Send request');
		await learner.next();
	}
};
