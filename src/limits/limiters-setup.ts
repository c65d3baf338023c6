import { dialectNames, type DialectName } from '#api/dialect.ts';
import { type LimitAlgorithm, limitAlgorithmNames, limitAlgorithms } from '#api/limit-algorithm.ts';
import { oneOf, someOf, wholeNumber, type SetupFields } from './setup-fields.ts';
import { type StreamName, streamNames } from './streams.ts';

/** An algorithm, or a limit of the requests that are in progress at the same time. */
export type LimiterName = LimitAlgorithm | 'concurrency';

export const limiterNames: readonly LimiterName[] = [...limitAlgorithmNames, 'concurrency'];
/** What the page calls them. */
export const limiters: Readonly<Record<LimiterName, string>> = { ...limitAlgorithms, concurrency: 'Concurrency' };

/** One stream of requests, and the limiters that each get all of it. */
export type LimitersSetup = {
	readonly stream: StreamName;
	/** Requests in each window. */
	readonly limit: number;
	/** In seconds. */
	readonly window: number;
	/** As how many requests a slow one counts. */
	readonly cost: number;
	/** How many requests may be in progress at the same time, where that is limited. */
	readonly slots: number;
	readonly limiters: readonly LimiterName[];
	/** It decides about the status and the headers of a rejection. */
	readonly dialect: DialectName;
};

/** As many rows are shown. */
export const mostLimiters = 4;

export const limitersFields: SetupFields<LimitersSetup> = {
	stream: oneOf(streamNames),
	limit: wholeNumber(2, 50),
	window: wholeNumber(10, 600),
	cost: wholeNumber(1, 20),
	slots: wholeNumber(1, 10),
	limiters: someOf(limiterNames, mostLimiters),
	dialect: oneOf(dialectNames)
};
