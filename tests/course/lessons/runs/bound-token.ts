import { boundToken, proofFor, readBound, useBound } from '../scripts/bound-token.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the token is not bound',
		missing: 'token_bound',
		run: async (client) => {
			const { client_id, client_secret } = client.viewer;
			const reply = await client.token({ grant_type: 'client_credentials', client_id, client_secret });
			await readBound(client, reply.field('access_token'));
		}
	},
	{
		name: 'the bound token is used without a proof only',
		missing: 'used',
		run: async (client) => {
			await readBound(client, await boundToken(client));
		}
	},
	{
		name: 'each request has a new proof',
		missing: 'replayed',
		run: async (client) => {
			const { token } = await useBound(client);
			await readBound(client, token, await proofFor(client, token));
		}
	},
	{
		name: 'the proof is of another token',
		missing: 'replayed',
		run: async (client) => {
			const { token } = await useBound(client);
			await readBound(client, token, await proofFor(client, 'another'));
		}
	},
	{
		name: 'the token always has a proof of its key',
		missing: 'without_key',
		run: async (client) => {
			const { token, proof } = await useBound(client);
			await readBound(client, token, proof);
			await readBound(client, token, await proofFor(client, token));
		}
	}
];

export const walk: Walk = async (learner) => {
	for (let step = 0; step < 4; step++) {
		await learner.press('Send request');
		await learner.next();
	}
};
