import { dialectNames } from '#api/dialect.ts';
import { type LimitAlgorithm, limitAlgorithmNames, limitAlgorithms } from '#api/limit-algorithm.ts';
import { oneOf, someOf, wholeNumber, type SetupOf } from './setup-fields.ts';
import { streamNames, type StreamedRequest } from './streams.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Decision, LimitPolicy, LimitState } from '#service/limits/algorithms.ts';

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

/** What one limiter did with one request of the stream. Times are in milliseconds after the beginning. */
export type LimiterStep = {
	readonly request: StreamedRequest;
	/** Later than the request if it waited in a queue. */
	readonly respondedAt: number;
	/** As how many requests it counts. */
	readonly cost: number;
	/** Undefined: it knew nothing. */
	readonly before: LimitState | undefined;
	readonly decision: Decision;
	/** The exchange, as the service recorded it, with its trace. */
	readonly entry: TrafficEntry;
};

/** A limiter in a separate sandbox, after the whole stream. */
export type LimiterRun = {
	readonly algorithm: LimiterName;
	readonly policy: LimitPolicy;
	readonly steps: readonly LimiterStep[];
};

/** How many accepted requests are in progress. @param at milliseconds after the beginning */
export function openAt(steps: readonly LimiterStep[], at: number): number {
	return steps.filter(
		({ request, respondedAt, decision }) => decision.isAccepted && request.at <= at && at < respondedAt
	).length;
}
