import { describe, expect, test } from 'vitest';
import { examineBound, exchanged, type Seed } from './bound-client.ts';

const seeds: readonly Seed[] = [
	{ calls: 2, dpop_nonce: false },
	{ calls: 5, dpop_nonce: false },
	{ calls: 3, dpop_nonce: true }
];

describe.each(seeds)('a client that calls: %o', (seed) => {
	test('no rule fails for a right client', async () => {
		const { failed, passed } = await examineBound(undefined, seed);
		expect(failed).toEqual([]);
		const shown = ['dpop.new_proof', 'dpop.this_request', 'dpop.this_token', 'dpop.scheme', 'dpop.one_key'];
		expect(passed).toEqual([
			...shown.toSpliced(3, 0, ...(seed.dpop_nonce ? [] : ['dpop.clock'])),
			...(seed.dpop_nonce ? ['dpop.nonce'] : [])
		]);
	});

	test.each([
		['reuses a proof', 'dpop.new_proof'],
		['proof for the token endpoint', 'dpop.this_request'],
		['no ath', 'dpop.this_token'],
		['bearer', 'dpop.scheme'],
		['new key', 'dpop.one_key']
	] as const)('a client that: %s', async (mistake, rule) => {
		const { failed = [] } = await examineBound(mistake, seed);
		// Each new key needs the nonce again, and this client does not repeat for it.
		expect(failed.filter((id) => mistake !== 'new key' || id !== 'dpop.nonce')).toEqual([rule]);
	});
});

test.each(seeds.slice(0, 2))('a client that dates proofs in milliseconds: %o', async (seed) => {
	expect((await examineBound('milliseconds', seed)).failed).toEqual(['dpop.clock']);
});

test.each([2, 3, 5])('clients that do nothing with a nonce, in %i calls', async (calls) => {
	const seed = { calls, dpop_nonce: true };
	expect((await examineBound('ignores the nonce', seed)).failed).toEqual(['dpop.nonce']);
	expect((await examineBound('gives up at the nonce', seed)).failed).toEqual(['dpop.nonce']);
});

test.each([
	{ scope: 'character_read' },
	{ audience: 'https://next.example/api' },
	{ resource: 'https://next.example' }
])('an exchange for less: %o', async (fields) => {
	expect(await exchanged(fields)).toEqual({ 'delegation.narrow': 'passed', 'delegation.not_widened': 'passed' });
});

test.each([{}, { requested_token_type: 'urn:ietf:params:oauth:token-type:access_token' }, { extra: 'x' }])(
	'an exchange for all: %o',
	async (fields) => {
		expect(await exchanged(fields)).toMatchObject({ 'delegation.narrow': 'failed' });
	}
);

test.each(['inventory_read', 'character_read inventory_read', 'character_write'])(
	'an exchange for more: %s',
	async (scope) => {
		expect(await exchanged({ scope })).toMatchObject({ 'delegation.not_widened': 'failed' });
	}
);
