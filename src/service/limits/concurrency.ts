import type { LimitState } from './algorithms.ts';

/** How long a request can take, in milliseconds. One that is still open then has been lost, with the process that handled it. */
export const longestRequest = 120_000;

/** What a request gets. */
export type Admission = {
	/** After the request. */
	readonly state: LimitState;
	readonly isAccepted: boolean;
	/** When an accepted request ends at the latest, by which `endRequest` knows it. */
	readonly ends: number;
};

/** When each open request ends at the latest, soonest first. */
function openUntil(state: LimitState | undefined, now: number): number[] {
	if (state === undefined) return [];
	return (state.before ?? []).map((ago) => state.expires - ago).filter((end) => end > now);
}

function stateOf(ends: readonly number[], now: number): LimitState {
	const expires = Math.max(now + 1, ...ends);
	return { count: ends.length, expires, before: ends.map((end) => expires - end) };
}

/** How many requests are open. */
export function openRequests(state: LimitState | undefined, now: number): number {
	return openUntil(state, now).length;
}

/**
 * Decides about a request, by how many are open.
 * @param limit how many may be open at once
 */
export function beginRequest(state: LimitState | undefined, limit: number, now: number): Admission {
	const open = openUntil(state, now);
	const ends = now + longestRequest;
	const isAccepted = open.length < limit;
	return { state: stateOf(isAccepted ? [...open, ends] : open, now), isAccepted, ends };
}

/**
 * Ends a request that was accepted. Undefined: none is open.
 * @param ends from its admission
 */
export function endRequest(state: LimitState | undefined, ends: number, now: number): LimitState | undefined {
	const open = openUntil(state, now);
	const at = open.indexOf(ends);
	const left = at === -1 ? open : open.toSpliced(at, 1);
	return left.length === 0 ? undefined : stateOf(left, now);
}
