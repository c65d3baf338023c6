import { buildRun } from '../../run.ts';
import { evaluateRules } from '../../rule.ts';
import { leftOutReason, rulesIn } from '../../provider-rules.ts';
import type { ForeignFinding } from '../har-reading.ts';
import { idsOf, isOk, type ForeignRun } from './foreign-run.ts';

/** The rules of the exam that need neither a trace nor a probe. All others would pass by mistake. */
const judged = new Set([
	'request.protected',
	'request.state_fresh',
	'request.state_random',
	'request.state_private',
	'request.state_not_verifier',
	'request.challenge_fresh',
	'request.no_secret',
	'request.navigated',
	'exchange.once',
	'exchange.in_body',
	'call.header',
	'call.right_credential',
	'call.no_secret',
	'signout.no_use_after',
	'token.refresh_when_due'
]);

/** Rules that a row of foreign traffic is in place of, and those about Tollgate alone. */
const replaced = new Set([
	'request.scope_needed',
	'request.nonce_fresh',
	'request.redirect_uri_exact',
	'exchange.redirect_uri_same',
	'limit.few_refused',
	'limit.after_reset'
]);

/** Areas of rules that no browser's side shows. */
const leftOut: readonly string[] = ['device', 'dpop', 'delegation'];

/** What the other rules need, where it is not the exam. */
const otherNeeds: Readonly<Record<string, string>> = {
	'signout.revoke': 'a sign-out',
	'call.name_encoded': 'a name like Half/Life',
	'exchange.form': 'back channel',
	'exchange.secret_on_server': 'back channel',
	'exchange.real_values': 'back channel',
	'installed.pkce': 'a sign-in of an installed client'
};

/** What the rules of the exam say about a file. */
export function sharedFindings(run: ForeignRun): ForeignFinding[] {
	const rules = rulesIn('standard').filter(
		(rule) => !replaced.has(rule.id) && leftOutReason(rule, 'standard') === undefined
	);
	const revocations = run.of('revocation').filter(isOk);
	const results = evaluateRules(rules, buildRun(run.all.map(({ entry }) => entry)));
	return results.flatMap(({ rule: id, verdict, text, fix, severity, sections, requests }, at): ForeignFinding[] => {
		const rule = rules[at];
		if (rule === undefined || leftOut.includes(rule.area)) return [];
		const base = { id, title: rule.title, basis: 'inferred' as const, sections };
		const isJudged = judged.has(id) && verdict !== 'not_shown';
		if (id === 'signout.revoke' && revocations.length > 0)
			return [
				{ ...base, state: 'shown', text: 'The file has a revocation that worked.', exchanges: idsOf(revocations) }
			];
		if (!isJudged) {
			const needs = needsOf(id, rule.needs, run);
			return [{ ...base, state: 'not_shown', text: `Not shown. Needs: ${needs}.`, needs, exchanges: [] }];
		}
		if (verdict === 'passed') return [{ ...base, state: 'shown', text, exchanges: requests }];
		const state = verdict === 'failed' ? 'failed' : 'difference';
		const more = severity === undefined ? {} : { severity };
		return [{ ...base, ...more, state, text, fix, exchanges: requests }];
	});
}

function needsOf(id: string, needs: string, run: ForeignRun): string {
	const hasTokens = run.of('token').length > 0;
	const own = otherNeeds[id];
	// What they compare is known to the service only.
	if (own !== undefined) return own === 'back channel' && hasTokens ? 'the exam' : own;
	if (judged.has(id) && /^(?:exchange|token)\./.test(id) && !hasTokens) return 'back channel';
	return /^the exam/.test(needs) ? 'the exam' : needs;
}
