import { dialectNames, type DialectName } from '#api/dialect.ts';
import { type LimitAlgorithm, limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { oneOf, someOf, wholeNumber, type SetupFields } from './setup-fields.ts';
import { type StreamName, streamNames } from './streams.ts';

/** One stream of requests, and the limiters that each get all of it. */
export type LimitersSetup = {
	readonly stream: StreamName;
	/** Requests in each window. */
	readonly limit: number;
	/** In seconds. */
	readonly window: number;
	readonly limiters: readonly LimitAlgorithm[];
	/** It decides about the status and the headers of a rejection. */
	readonly dialect: DialectName;
};

/** As many rows are shown. */
export const mostLimiters = 4;

export const limitersFields: SetupFields<LimitersSetup> = {
	stream: oneOf(streamNames),
	limit: wholeNumber(2, 50),
	window: wholeNumber(10, 600),
	limiters: someOf(limitAlgorithmNames, mostLimiters),
	dialect: oneOf(dialectNames)
};
