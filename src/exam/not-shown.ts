import type { ExamResult, Finding, ProbeOutcome } from '#api/exam.ts';
import type { DialectName } from '#api/dialect.ts';
import { notShownText } from '#evidence/rule.ts';
import { leftOutReason, rulesIn } from '#evidence/rules-in-dialect.ts';
import { probesOf } from './probe-list.ts';

/** What happened to a step in place of its end. */
const words: Readonly<Record<Exclude<ProbeOutcome, 'done'>, string>> = {
	skipped: 'was skipped',
	stopped: 'was stopped',
	timed_out: 'reached its time limit'
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
	const outcomes = new Map(probes.map(({ id, outcome }) => [id, outcome]));
	return findings.map((finding) => {
		const rule = rules.find(({ id }) => id === finding.rule);
		const isLeftOut = rule !== undefined && leftOutReason(rule, dialect) !== undefined;
		const hasOwnText =
			finding.verdict !== 'not_shown' || rule === undefined || isLeftOut || finding.probe !== undefined;
		if (hasOwnText) return finding;
		const steps = probesOf(finding.rule);
		const [first] = steps;
		const wasMissed = steps.every(({ id }) => outcomes.get(id) !== 'done');
		const text = first && wasMissed ? missed(first.title, outcomes.get(first.id)) : notShownText(rule);
		return { ...finding, text };
	});
}

const missed = (title: string, outcome: ProbeOutcome | undefined): string =>
	`Not shown. The step “${title}” ${outcome === undefined || outcome === 'done' ? 'was not reached' : words[outcome]}.`;
