import type { ExamResult, Finding, ResultVerdict } from '#api/exam.ts';
import { isLeftOut, leftOutReason, rulesIn } from '#evidence/provider-rules.ts';

/** The findings with a verdict, the most severe first. */
export function withVerdict({ findings }: ExamResult, verdict: ResultVerdict): Finding[] {
	return findings
		.filter((finding) => finding.verdict === verdict)
		.toSorted((a, b) => (a.severity ?? 4) - (b.severity ?? 4));
}

/** The area of a rule: `token` of `token.one_refresh`. */
export function areaOf(rule: string): string {
	return rule.split('.', 1)[0] ?? rule;
}

/** The name of an area for readers. */
export function areaName(area: string): string {
	return area === 'signout' ? 'sign-out' : area;
}

/** The areas with their findings, in the order of the rules. */
export function byArea(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
	const areas = new Map<string, Finding[]>();
	for (const finding of findings) {
		const area = areaOf(finding.rule);
		areas.set(area, [...(areas.get(area) ?? []), finding]);
	}
	return areas;
}

/** Why the exam ended early, as a sentence; undefined if it did not. */
export function earlyEnd({ ended }: ExamResult): string | undefined {
	switch (ended) {
		case undefined:
			return undefined;
		case 'stopped':
			return 'The exam was stopped.';
		case 'time_limit':
			return 'The exam reached its time limit.';
		case 'entry_limit':
			return 'The exam stopped, because the client sent too many requests.';
		case 'client_failed':
			return 'The exam stopped, because no sign-in worked.';
		case 'calls_failed':
			return 'No call of the client worked.';
	}
}

/** What the client speaks, where it is not the specification: `today’s standards`, `as GitHub`. */
export function dialectText({ dialect, provider }: Pick<ExamResult, 'dialect' | 'provider'>): string | undefined {
	if (provider !== undefined) return `as ${provider}`;
	return dialect === 'standard' ? 'today’s standards' : undefined;
}

/** How many rules were shown, of those that the dialect or a provider does not leave out: `15 of 52 judged`. */
export function judgedText({
	findings,
	dialect = 'specification',
	provider
}: Pick<ExamResult, 'findings' | 'dialect' | 'provider'>): string {
	const leftOut = new Set(
		// Those that a provider leaves out say so.
		provider !== undefined
			? []
			: rulesIn(dialect).flatMap((rule) => (leftOutReason(rule, dialect) === undefined ? [] : rule.id))
	);
	const judged = findings.filter(({ verdict }) => verdict !== 'not_shown');
	const missed = findings.filter((one) => one.verdict === 'not_shown' && !leftOut.has(one.rule) && !isLeftOut(one));
	return `${judged.length} of ${judged.length + missed.length} judged`;
}

/**
 * The counts in one line: `1 failed, 2 advice, 9 not shown, 40 passed in 31 s`. The first one decides about the client.
 */
export function countsLine({ counts, seconds }: ExamResult): string {
	const { failed, passed, not_shown, advice, disputed } = counts;
	const others = [`${not_shown} not shown`, ...(disputed > 0 ? [`${disputed} disputed`] : [])];
	const parts =
		failed > 0
			? [`${failed} failed`, `${advice} advice`, ...others, `${passed} passed`]
			: [`${passed} passed`, ...others, `${advice} advice`, '0 failed'];
	return `${parts.join(', ')} in ${Math.round(seconds)} s`;
}
