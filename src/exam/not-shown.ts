import type { ExamResult, Finding, ProbeOutcome } from '#api/exam.ts';
import type { DialectName } from '#api/dialect.ts';
import { notShownText, type Rule } from '#evidence/rule.ts';
import { isLeftOut, rulesIn } from '#evidence/provider-rules.ts';
import { matchesRule } from './order.ts';
import { probesOf } from './probe-list.ts';

type ProbeEnd = NonNullable<ExamResult['probes']>[number];

/** What happened to a step in place of its end. */
const words: Readonly<Record<Exclude<ProbeOutcome, 'done'>, string>> = {
	skipped: 'was skipped',
	stopped: 'was stopped',
	timed_out: 'reached its time limit'
};

export const withoutKeys = 'The application of an exam has no registered keys.';

/** Why no client and no option leads to a rule in an exam. The report card of the inspector judges the same rules. */
const outOfReach: Readonly<Partial<Record<string, string>>> = {
	'assertion.fresh': withoutKeys,
	'assertion.short': withoutKeys,
	'assertion.audience': withoutKeys,
	'dpop.nonce': 'The sandbox of an exam does not have the setting dpop_nonce.',
	'limit.paced': 'The limits of an exam are three calls, or more than a client sends.'
};

/** The clients that a rule is about, by its id or area; the first entry counts. Others lack nothing. Each sign-in and call shows the rest. */
const concerned: readonly (readonly [pattern: string, clients: string])[] = [
	['request.state_not_verifier', 'clients that send a state and a code challenge'],
	['request.state_*', 'clients that send a state'],
	['request.challenge_fresh', 'clients that send a code challenge'],
	['request.nonce_fresh', 'clients that send a nonce'],
	['request.metadata_issuer', 'clients that read the metadata at each sign-in'],
	['request.pushed_*', 'clients that push their requests'],
	['exchange.resource_same', 'clients that send resource, or read the metadata of a resource'],
	['exchange.issuer_credentials', 'clients that read the metadata of a resource at each sign-in'],
	['exchange.secret_on_server', 'web applications'],
	['token.one_refresh', 'clients that send four calls at once and refresh at a 401'],
	['token.refresh_when_due', 'clients that refresh tokens'],
	['token.keep_refresh_token', 'clients that refresh tokens twice'],
	['token.scope_not_widened', 'clients that refresh tokens'],
	['token.*', 'clients that refresh tokens at a 401'],
	['call.name_encoded', 'clients that read resources by their names'],
	['limit.after_reset', 'clients whose requests wait for the reset'],
	['signout.revoke', 'clients with a refresh token'],
	['installed.*', 'installed clients'],
	['device.slow_down', 'devices that have polled too early'],
	['device.*', 'devices that poll for tokens (RFC 8628)'],
	['dpop.*', 'clients that bind tokens to a key (RFC 9449)'],
	['delegation.*', 'clients that exchange tokens (RFC 8693)']
];

/**
 * The findings with the reason why a rule was not shown: the step that needed to run, or what the rule needs.
 * @param probes the steps of the exam so far
 */
export function explainNotShown(
	findings: readonly Finding[],
	probes: ExamResult['probes'] = [],
	dialect: DialectName = 'specification'
): Finding[] {
	const rules = rulesIn(dialect);
	const ends = new Map(probes.map((probe) => [probe.id, probe]));
	// Where no step came to its end, nothing is known about the client.
	const isUnknown = probes.length > 0 && probes.every(({ outcome }) => outcome !== 'done');
	// A client that was judged by a rule about such clients may be one of them.
	const known = new Set(findings.filter(({ verdict }) => verdict !== 'not_shown').map(({ rule }) => clientsOf(rule)));
	return findings.map((finding) => {
		const rule = rules.find(({ id }) => id === finding.rule);
		const hasOwnText =
			finding.verdict !== 'not_shown' || rule === undefined || isLeftOut(finding) || !isGeneral(finding.text, rule);
		if (hasOwnText) return finding;
		const steps = probesOf(finding.rule);
		const [first] = steps;
		const wasMissed = steps.every(({ id }) => ends.get(id)?.outcome !== 'done');
		if (first && wasMissed) return { ...finding, text: missed(first.title, ends.get(first.id)) };
		return { ...finding, text: isUnknown ? notShownText(rule) : whyNotShown(rule, first?.title, known) };
	});
}

const clientsOf = (rule: string) => concerned.find(([pattern]) => matchesRule([pattern], rule))?.[1];

/**
 * What would show a rule after its steps, if it has any.
 * @param known the clients, as `concerned` names them, that this one may be among
 */
function whyNotShown(rule: Rule, step?: string, known: ReadonlySet<string | undefined> = new Set()): string {
	const reason = outOfReach[rule.id];
	if (reason !== undefined)
		return `Not shown. ${reason} In a sandbox of your own, the report card of the inspector judges this rule.`;
	const clients = clientsOf(rule.id);
	if (clients !== undefined && !known.has(clients)) return `Not shown. Only for ${clients}.`;
	return step === undefined ? notShownText(rule) : `${stepStart}${step}” showed nothing about it.`;
}

const stepStart = 'Not shown. The step “';

/** Whether a text is one of those here, of the exam or a part of it. Else it is what the rule itself found. */
function isGeneral(text: string, rule: Rule): boolean {
	return text === notShownText(rule) || text.startsWith(stepStart) || text === whyNotShown(rule);
}

function missed(title: string, end: ProbeEnd | undefined): string {
	const { outcome = 'done', reason } = end ?? {};
	const what = outcome === 'done' ? 'was not reached' : words[outcome];
	return `${stepStart}${title}” ${what}${reason === undefined ? '' : `: ${reason}`}.`;
}
