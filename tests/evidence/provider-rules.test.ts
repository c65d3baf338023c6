import { describe, expect, it } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import { isLeftOut, leftOutReason, rulesIn } from '#evidence/provider-rules.ts';
import { evaluateRules } from '#evidence/rule.ts';
import { buildRun } from '#evidence/run.ts';
import { probesIn } from '#exam/probes-in-dialect.ts';
import { findProvider, providerNames } from '#service/provider/providers.ts';

function providerOf(name: string) {
	const provider = findProvider(name);
	if (provider === undefined) throw new Error(`${name} is missing.`);
	return provider;
}
const reasonOf = (rule: string, provider: Parameters<typeof rulesIn>[1]) => {
	const found = allRules.find(({ id }) => id === rule);
	if (found === undefined) throw new Error(`${rule} is missing.`);
	return leftOutReason(found, 'standard', provider);
};

describe('the file of a provider decides which rules clients can show', () => {
	it.each([
		['token.one_refresh', 'github', 'GitHub issues no refresh token.'],
		['token.one_refresh', 'google', undefined],
		['token.keep_at_second_sign_in', 'google', undefined],
		['token.keep_at_second_sign_in', 'spotify', 'Spotify issues a refresh token at each sign-in that asks for one.'],
		['request.metadata_issuer', 'google', undefined],
		['request.nonce_fresh', 'github', 'GitHub issues no ID token.'],
		['signout.revoke', 'google', 'Google has no revocation in its file.'],
		['signout.revoke', 'discord', undefined],
		['limit.paced', 'github', 'No standard asks clients to spread their requests.']
	])('%s at %s: %s', (rule, name, reason) => {
		expect(reasonOf(rule, providerOf(name))).toBe(reason);
	});

	it('follows a change of the file', () => {
		const { short, dialect } = providerOf('github');
		expect(reasonOf('token.one_refresh', { short, dialect: { ...dialect, refreshFor: 'always' } })).toBeUndefined();
		expect(reasonOf('callback.issuer', { short, dialect: { ...dialect, iss: true } })).toBeUndefined();
	});
});

it.each(providerNames())('leaves out and says why, and runs no step for it alone: %s', (name) => {
	const provider = providerOf(name);
	const rules = rulesIn('standard', provider);
	const findings = evaluateRules(rules, buildRun([]));
	const reasons = rules.map((rule) => leftOutReason(rule, 'standard', provider));
	expect(findings.map((finding) => isLeftOut(finding))).toEqual(reasons.map((reason) => reason !== undefined));
	const judged = new Set(rules.filter((_rule, at) => reasons[at] === undefined).map(({ id }) => id));
	for (const { id, judges } of probesIn('standard', provider))
		expect(judges.length === 0 || judges.some((rule) => judged.has(rule)), id).toBe(true);
});
