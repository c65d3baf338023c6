import type { ExamResult, Finding } from '#api/exam.ts';
import { explainNotShown } from '#exam/not-shown.ts';

/** Which verdict counts where two parts of an exam differ: the exam was taken in parts, and each saw other requests. */
const weight = { disputed: 4, failed: 3, advice: 2, passed: 1, not_shown: 0 } as const;

/**
 * What two parts of an exam show together: after a reload it goes on with the probes that are left.
 * @param later its findings count where both weigh the same
 */
export function mergeResults(earlier: ExamResult | undefined, later: ExamResult): ExamResult {
	if (earlier === undefined) return later;
	const findings = later.findings.map((finding) => {
		const before = earlier.findings.find(({ rule }) => rule === finding.rule);
		return before !== undefined && weight[before.verdict] > weight[finding.verdict] ? before : finding;
	});
	return withFindings({ ...later, started: earlier.started, probes: joinProbes(earlier, later) }, findings);
}

/**
 * The result after one probe was taken again: only the rules that it judges get a new verdict.
 * @param judged ids of these rules
 */
export function replaceFindings(before: ExamResult, again: ExamResult, judged: readonly string[]): ExamResult {
	const findings = before.findings.map((finding) => {
		const fresh = judged.includes(finding.rule) ? again.findings.find(({ rule }) => rule === finding.rule) : undefined;
		return fresh === undefined || fresh.verdict === 'not_shown' ? finding : fresh;
	});
	return withFindings({ ...before, probes: joinProbes(before, again) }, findings);
}

/** The result with a `failed` that the developer disagrees with. An empty reason takes it back. */
export function dispute(result: ExamResult, rule: string, reason: string): ExamResult {
	const findings = result.findings.map((finding): Finding => {
		if (finding.rule !== rule) return finding;
		const { dispute: _, ...rest } = finding;
		return reason === '' ? { ...rest, verdict: 'failed' } : { ...rest, verdict: 'disputed', dispute: reason };
	});
	return withFindings(result, findings);
}

function withFindings(result: ExamResult, findings: Finding[]): ExamResult {
	const counts = { failed: 0, passed: 0, not_shown: 0, advice: 0, disputed: 0 };
	for (const { verdict } of findings) counts[verdict]++;
	return { ...result, findings: explainNotShown(findings, result.probes, result.dialect), counts };
}

function joinProbes({ probes: earlier = [] }: ExamResult, { probes: later = [] }: ExamResult) {
	return [
		...earlier.filter(({ id }) => !later.some((one) => one.id === id && one.outcome !== 'skipped')),
		...later
	].filter((one, at, all) => all.findIndex(({ id }) => id === one.id) === at);
}
