import { rulesIn } from '#evidence/provider-rules.ts';
import { evaluateRules } from '#evidence/rule.ts';
import { buildRun } from '#evidence/run.ts';
import { characterPath, hashOf, ProofKey } from '../conformance/dpop.ts';
import { basic, codeWithPkce, exchangeWithPkce, verifier } from '../conformance/standard.ts';
import { readEntries } from '../features/inspector/entries.ts';
import { createTestService } from '../service/test-service.ts';

/** What a client does, unless it is right. */
export type BoundMistake =
	| 'reuses a proof'
	| 'proof for the token endpoint'
	| 'no ath'
	| 'milliseconds'
	| 'bearer'
	| 'new key'
	| 'ignores the nonce'
	| 'gives up at the nonce';

/** How often it calls, and whether the sandbox wants nonces. */
export type Seed = { readonly calls: number; readonly dpop_nonce: boolean };

/** Runs a client that binds its tokens to a key. Returns the rules that failed, or those that passed. */
export async function examineBound(
	mistake: BoundMistake | undefined,
	{ calls, dpop_nonce }: Seed
): Promise<Record<string, string[]>> {
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

/** Exchanges a token with these fields, and returns the verdicts of the rules about it. */
export async function exchanged(fields: object): Promise<Record<string, string>> {
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
