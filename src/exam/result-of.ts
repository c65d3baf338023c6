import type { TrafficEntry } from '#api/control/traffic.ts';
import { verdicts, type ExamResult, type Finding } from '#api/exam.ts';
import { userAgent } from './observe.ts';
import type { ExamSandbox } from './sandbox.ts';

/** What an exam has found, and how far it came. */
type Found = {
	readonly seed: number;
	/** Milliseconds since 1970, like `now`. */
	readonly started: number;
	readonly now: number;
	readonly ended: ExamResult['ended'];
	/** Why the exam could not operate the client. */
	readonly problem: string | undefined;
	readonly probes: NonNullable<ExamResult['probes']>;
	readonly findings: Finding[];
};

/** The result of an exam. @param entries what the client sent */
export function resultOf(
	{ client_id, kind, dialect, provider }: ExamSandbox,
	entries: readonly TrafficEntry[],
	{ seed, started, now, ended, problem, probes, findings }: Found
): ExamResult {
	const user_agent = userAgent(entries);
	const countOf = (verdict: string) => findings.filter((finding) => finding.verdict === verdict).length;
	const [failed = 0, passed = 0, not_shown = 0, advice = 0, disputed = 0] = verdicts.map(countOf);
	return {
		format: 'tollgate-exam',
		version: 1,
		seed,
		dialect,
		...(provider === undefined ? {} : { provider: provider.short }),
		started: new Date(started).toISOString(),
		seconds: Math.round((now - started) / 100) / 10,
		...(ended === undefined ? {} : { ended }),
		...(problem === undefined ? {} : { problem: problem.slice(0, 500) }),
		client: { client_id, kind, ...(user_agent === undefined ? {} : { user_agent }) },
		counts: { failed, passed, not_shown, advice, disputed },
		probes,
		findings
	};
}
