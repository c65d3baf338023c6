import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Decision, LimitPolicy, LimitState } from '#service/limits/algorithms.ts';
import type { LimiterName } from './limiters-setup.ts';
import type { StreamedRequest } from './streams.ts';

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
