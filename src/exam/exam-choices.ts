import type { Timers } from './timers.ts';

/** What a caller may choose about an exam. The types of the package contain it. */
export type ExamChoices = {
	/** 0 to 4,294,967,295. Default: 1. */
	readonly seed?: number;
	/** Ids of rules, or areas such as `request.*`. Default: all rules. */
	readonly only?: readonly string[];
	readonly skip?: readonly string[];
	/** The longest time of the exam, in milliseconds. Default: 5 minutes, or 40 times that of the first sign-ins if that is longer. */
	readonly timeLimit?: number;
	/** Default: the real clock. */
	readonly timers?: Timers;
	/** Stops the exam. It returns what it has found. */
	readonly signal?: AbortSignal;
};
