import { describe, expect, test } from 'vitest';
import { rulesIn } from '#evidence/rules-in-dialect.ts';
import { evaluateRules } from '#evidence/rule.ts';
import { buildRun } from '#evidence/run.ts';
import { characterPath, hashOf, ProofKey } from '../conformance/dpop.ts';
import { basic, codeWithPkce, exchangeWithPkce, verifier } from '../conformance/standard.ts';
import { readEntries } from '../features/inspector/entries.ts';
import { createTestService } from '../service/test-service.ts';

/** What a client does, unless it is right. */
type Mistake =
	| 'reuses a proof'
	| 'proof for the token endpoint'
	| 'no ath'
	| 'milliseconds'
	| 'bearer'
	| 'new key'
	| 'ignores the nonce'
	| 'gives up at the nonce';

/** How often it calls, and whether the sandbox wants nonces. */
type Seed = { readonly calls: number; readonly dpop_nonce: boolean };

/** Runs a client that binds its tokens to a key. Returns the rules that failed, or those that passed. */
async function examine(mistake: Mistake | undefined, { calls, dpop_nonce }: Seed): Promise<Record<string, string[]>> {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.changeSettings({ dialect: 'standard', dpop_nonce });
	const key = await ProofKey.create();
	const { redirect_uri } = at.viewer;
	const nonces = new Map<string, string>();
	const later = () => (tested.clock += 1000);
	const known = (place: string) => {
		later();
		const nonce = mistake === 'ignores the nonce' ? undefined : nonces.get(place);
		return { ...(nonce !== undefined && { nonce }), ...(mistake === 'milliseconds' && { iat: tested.clock }) };
	};
	const exchange = async () => {
		const code = await codeWithPkce(at.user());
		const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri };
		const send = () => key.token(at, fields, { claims: known('token') }, ...basic(at.viewer));
		const response = await send();
		const nonce = response.header('dpop-nonce');
		if (nonce === undefined || response.status === 200) return response;
		nonces.set('token', nonce);
		return mistake === 'gives up at the nonce' ? response : send();
	};
	const first = await exchange();
	if (first.status === 200) {
		const { access_token } = first.tokens;
		const ath = mistake === 'no ath' ? undefined : hashOf(access_token);
		const proofFor = async () => {
			const claims = { ath, ...known('resource') };
			const path = mistake === 'proof for the token endpoint' ? '/ws/oauth2/token/' : characterPath;
			return (mistake === 'new key' ? await ProofKey.create() : key).proof(at, 'GET', path, { claims });
		};
		let proof = await proofFor();
		const scheme = mistake === 'bearer' ? 'Bearer' : 'DPoP';
		for (let count = 0; count < calls; count++) {
			if (count > 0 && mistake !== 'reuses a proof') proof = await proofFor();
			const response = await at.get(characterPath, 'Authorization', `${scheme} ${access_token}`, 'DPoP', proof);
			const nonce = response.header('dpop-nonce');
			if (nonce === undefined || nonces.get('resource') === nonce) continue;
			nonces.set('resource', nonce);
			proof = await proofFor();
			await at.get(characterPath, 'Authorization', `${scheme} ${access_token}`, 'DPoP', proof);
		}
	}
	const rules = rulesIn('standard').filter(({ area }) => area === 'dpop');
	const findings = evaluateRules(rules, buildRun(await readEntries(at)));
	const of = (wanted: string) => findings.flatMap(({ rule, verdict }) => (verdict === wanted ? [rule] : []));
	return { failed: of('failed'), passed: of('passed') };
}

const seeds: readonly Seed[] = [
	{ calls: 2, dpop_nonce: false },
	{ calls: 5, dpop_nonce: false },
	{ calls: 3, dpop_nonce: true }
];

describe.each(seeds)('a client that calls: %o', (seed) => {
	test('no rule fails for a right client', async () => {
		const { failed, passed } = await examine(undefined, seed);
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
		const { failed = [] } = await examine(mistake, seed);
		// Each new key needs the nonce again, and this client does not repeat for it.
		expect(failed.filter((id) => mistake !== 'new key' || id !== 'dpop.nonce')).toEqual([rule]);
	});
});

test.each(seeds.slice(0, 2))('a client that dates proofs in milliseconds: %o', async (seed) => {
	expect((await examine('milliseconds', seed)).failed).toEqual(['dpop.clock']);
});

test.each([2, 3, 5])('clients that do nothing with a nonce, in %i calls', async (calls) => {
	const seed = { calls, dpop_nonce: true };
	expect((await examine('ignores the nonce', seed)).failed).toEqual(['dpop.nonce']);
	expect((await examine('gives up at the nonce', seed)).failed).toEqual(['dpop.nonce']);
});

/** Exchanges a token with these fields, and returns the verdicts of the rules about it. */
async function exchanged(fields: object): Promise<Record<string, string>> {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard' });
	const { tokens } = await exchangeWithPkce(at, await codeWithPkce(at.user()));
	const type = 'urn:ietf:params:oauth:token-type:access_token';
	const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
	await at.token(
		{ grant_type, subject_token: tokens.access_token, subject_token_type: type, ...fields },
		...basic(at.viewer)
	);
	const rules = rulesIn('standard').filter(({ area }) => area === 'delegation');
	const findings = evaluateRules(rules, buildRun(await readEntries(at)));
	return Object.fromEntries(findings.map(({ rule, verdict }) => [rule, verdict]));
}

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
