import type { ExamResult, Finding, ProbeId, ProbeOutcome } from '#api/exam.ts';
import type { ExamSandbox } from './sandbox.ts';
import type { Driver } from './driver.ts';

/** The clock of an exam. */
export type Timers = {
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Resolves after this number of milliseconds, or at once when the signal aborts. */
	readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

/** What an exam reports while it runs. */
export type Progress =
	| { readonly type: 'probe'; readonly probe: ProbeId; readonly step: number; readonly of: number }
	| { readonly type: 'probe_ended'; readonly probe: ProbeId; readonly outcome: ProbeOutcome }
	| { readonly type: 'finding'; readonly finding: Finding };

/** What an exam needs. */
export type ExamOptions = {
	readonly sandbox: ExamSandbox;
	readonly driver: Driver;
	/** 0 to 4,294,967,295. Default: 1. */
	readonly seed?: number;
	/** Ids of rules, or areas such as `request.*`. Default: all rules. */
	readonly only?: readonly string[];
	readonly skip?: readonly string[];
	/** The longest time of the exam, in milliseconds. Default: 5 minutes. */
	readonly timeLimit?: number;
	/** The longest time of a probe, in milliseconds. Default: 30 seconds. */
	readonly probeTimeLimit?: number;
	/** Default: the real clock. */
	readonly timers?: Timers;
	/** Stops the exam. It returns what it has found. */
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: Progress) => void;
};

/** Examines a client. */
export type RunExam = (options: ExamOptions) => Promise<ExamResult>;
