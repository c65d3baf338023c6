import { dialectNames } from '#api/dialect.ts';
import { type LimitAlgorithm, limitAlgorithmNames, limitAlgorithms } from '#api/limit-algorithm.ts';
import { oneOf, someOf, wholeNumber, type SetupOf } from './setup-fields.ts';
import { streamNames } from './streams.ts';

/** An algorithm, or a limit of the requests that are in progress at the same time. */
export type LimiterName = LimitAlgorithm | 'concurrency';

export const limiterNames: readonly LimiterName[] = [...limitAlgorithmNames, 'concurrency'];
/** What the page calls them. */
export const limiters: Readonly<Record<LimiterName, string>> = { ...limitAlgorithms, concurrency: 'Concurrency' };

/** As many rows are shown. */
export const mostLimiters = 4;

/** One stream of requests, and the limiters that each get all of it. */
export const limitersFields = {
	stream: oneOf(streamNames),
	/** Requests in each window. */
	limit: wholeNumber(2, 50),
	/** In seconds. */
	window: wholeNumber(10, 600),
	/** As how many requests a slow one counts. */
	cost: wholeNumber(1, 20),
	/** How many requests may be in progress at the same time, where that is limited. */
	slots: wholeNumber(1, 10),
	limiters: someOf(limiterNames, mostLimiters),
	/** It decides about the status and the headers of a rejection. */
	dialect: oneOf(dialectNames)
};
export type LimitersSetup = SetupOf<typeof limitersFields>;
