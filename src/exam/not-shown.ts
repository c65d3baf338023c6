import type { ExamResult, Finding, ProbeOutcome } from '#api/exam.ts';
import type { DialectName } from '#api/dialect.ts';
import { notShownText, type Rule } from '#evidence/rule.ts';
import { leftOutReason, rulesIn } from '#evidence/rules-in-dialect.ts';
import { probesOf } from './probe-list.ts';

type ProbeEnd = NonNullable<ExamResult['probes']>[number];

/** What happened to a step in place of its end. */
const words: Readonly<Record<Exclude<ProbeOutcome, 'done'>, string>> = {
	skipped: 'was skipped',
	stopped: 'was stopped',
	timed_out: 'reached its time limit'
};

const withoutKeys = 'The application of an exam has no registered keys.';

/** Why no client and no option leads to a rule in an exam. The report card of the inspector judges the same rules. */
const outOfReach: Readonly<Partial<Record<string, string>>> = {
	'assertion.fresh': withoutKeys,
	'assertion.short': withoutKeys,
	'assertion.audience': withoutKeys,
	'dpop.nonce': 'The sandbox of an exam does not have this setting.'
};

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
	return findings.map((finding) => {
		const rule = rules.find(({ id }) => id === finding.rule);
		const isLeftOut = rule !== undefined && leftOutReason(rule, dialect) !== undefined;
		const hasOwnText =
			finding.verdict !== 'not_shown' || rule === undefined || isLeftOut || !isGeneral(finding.text, rule);
		if (hasOwnText) return finding;
		const steps = probesOf(finding.rule);
		const [first] = steps;
		const wasMissed = steps.every(({ id }) => ends.get(id)?.outcome !== 'done');
		const text = first && wasMissed ? missed(first.title, ends.get(first.id)) : notShownText(rule);
		const reason = outOfReach[rule.id];
		return {
			...finding,
			text: reason === undefined ? text : `${text} ${reason} The report card of the inspector judges this rule.`
		};
	});
}

const missedStart = 'Not shown. The step “';

/** Whether a text says what the rule needs, or which step was missed in a part of the exam. Else it is what the rule itself found. */
function isGeneral(text: string, rule: Rule): boolean {
	return text === notShownText(rule) || text.startsWith(missedStart);
}

function missed(title: string, end: ProbeEnd | undefined): string {
	const { outcome = 'done', reason } = end ?? {};
	const what = outcome === 'done' ? 'was not reached' : words[outcome];
	return `${missedStart}${title}” ${what}${reason === undefined ? '' : `: ${reason}`}.`;
}
