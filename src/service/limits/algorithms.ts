import { type LimitAlgorithm, longestLog } from '#api/limit-algorithm.ts';

/** How many requests are allowed, and in which time in milliseconds. */
export type LimitPolicy = { readonly limit: number; readonly window: number };

/** What an algorithm knows of the requests of an address. All times are in milliseconds, by the sandbox clock. */
export type LimitState = {
	/** Requests that were counted. What it means depends on the algorithm. */
	readonly count: number;
	/** When the state is the same as none: all requests are available again. */
	readonly expires: number;
	/** The requests of the window before this one. */
	readonly previous?: number;
	/** Times before `expires`: when accepted requests came, or when a window began. Relative, so that both move with the clock. */
	readonly before?: readonly number[];
};

/** What a request gets. */
export type Decision = {
	/** After the request. */
	readonly state: LimitState;
	readonly isAccepted: boolean;
	/** How long an accepted request waits in the queue, in milliseconds. */
	readonly delay: number;
};

/** What can be said of a state, without a request. */
export type LimitView = {
	/** How many requests of cost 1 would be accepted now. */
	readonly remaining: number;
	/** When a request of the cost is accepted, if too few remain for it; else when all are available again. */
	readonly reset: number;
	/** When more than `remaining` are available. Now, where no more can be. */
	readonly more: number;
};

/** A rate limit. All functions are pure. Where a cost is more than can ever be available, the request costs that much. */
export type Algorithm = {
	/** How many requests of cost 1 are accepted at once, at most. */
	readonly capacity: (policy: LimitPolicy) => number;
	/**
	 * Decides about a request. A rejected one takes nothing.
	 * @param state undefined: none is known, or it has expired
	 * @param cost how many requests it counts as
	 */
	readonly take: (state: LimitState | undefined, policy: LimitPolicy, now: number, cost?: number) => Decision;
	/** @param cost of the request that `reset` is about */
	readonly view: (state: LimitState | undefined, policy: LimitPolicy, now: number, cost?: number) => LimitView;
};

/** What differs between algorithms. Costs are at least 1 and at most the capacity, unless that is 0. */
type Rules = {
	readonly capacity: (policy: LimitPolicy) => number;
	readonly take: (state: LimitState | undefined, policy: LimitPolicy, now: number, cost: number) => Decision;
	readonly remaining: (state: LimitState | undefined, policy: LimitPolicy, now: number) => number;
	/** When a request is accepted whose cost is more than what remains, or is the capacity. */
	readonly availableAt: (state: LimitState | undefined, policy: LimitPolicy, now: number, cost: number) => number;
};

function algorithm({ capacity, take, remaining, availableAt }: Rules): Algorithm {
	const limited = (cost: number, policy: LimitPolicy) => Math.max(1, Math.min(cost, capacity(policy)));
	return {
		capacity,
		take: (state, policy, now, cost = 1) => take(state, policy, now, limited(cost, policy)),
		view(state, policy, now, cost = 1) {
			const most = capacity(policy);
			if (most < 1) return { remaining: 0, reset: now + policy.window, more: now + policy.window };
			const left = remaining(state, policy, now);
			const at = (wanted: number) => Math.ceil(availableAt(state, policy, now, wanted) - tolerance / 2);
			return {
				remaining: left,
				reset: at(left < limited(cost, policy) ? limited(cost, policy) : most),
				more: left < most ? at(left + 1) : now
			};
		}
	};
}

/** The longest wait in a queue, in milliseconds. A request that would wait longer is rejected. */
export const longestQueue = 10_000;

/** Sums of fractions of milliseconds are this exact. */
const tolerance = 1e-6;

/** Milliseconds for each request, where they are evenly spaced. */
export const intervalOf = ({ limit, window }: LimitPolicy): number => window / limit;

const fixedWindow = algorithm({
	capacity: ({ limit }) => limit,
	take(state, { limit, window }, now, cost) {
		const known = state?.count ?? 0;
		const isAccepted = known + cost <= limit;
		// Requests after the last one are counted too: the trace says how many they are.
		const count = isAccepted ? known + cost : known + (known >= limit ? 1 : 0);
		const expires = Math.min(state?.expires ?? Infinity, now + window);
		return { state: { count, expires }, isAccepted, delay: 0 };
	},
	remaining: (state, { limit }) => Math.max(0, limit - (state?.count ?? 0)),
	availableAt: (state, { window }, now) => Math.min(state?.expires ?? Infinity, now + window)
});

/** The times of the accepted requests that still count, oldest first. A time after now is now: the clock may have been moved back. */
export function logged(state: LimitState | undefined, { window }: LimitPolicy, now: number): number[] {
	if (state === undefined) return [];
	return (state.before ?? []).map((ago) => Math.min(state.expires - ago, now)).filter((at) => at > now - window);
}

const logCapacity = ({ limit }: LimitPolicy): number => Math.min(limit, longestLog);

const slidingLog = algorithm({
	capacity: logCapacity,
	take(state, policy, now, cost) {
		const times = logged(state, policy, now);
		const isAccepted = times.length + cost <= logCapacity(policy);
		const kept = isAccepted ? [...times, ...Array<number>(cost).fill(now)] : times;
		const expires = (kept.at(-1) ?? now) + policy.window;
		return { state: { count: kept.length, expires, before: kept.map((at) => expires - at) }, isAccepted, delay: 0 };
	},
	remaining: (state, policy, now) => Math.max(0, logCapacity(policy) - logged(state, policy, now).length),
	availableAt(state, policy, now, cost) {
		const times = logged(state, policy, now);
		const decisive = times[times.length - logCapacity(policy) + cost - 1];
		return decisive === undefined ? now : decisive + policy.window;
	}
});

export type Counter = { readonly begin: number; readonly previous: number; readonly count: number };

/** The window that contains now, and the count of the one before it. */
export function counted(state: LimitState | undefined, { window }: LimitPolicy, now: number): Counter {
	if (state === undefined) return { begin: now, previous: 0, count: 0 };
	const { count, previous = 0, expires, before: [ago = 0] = [] } = state;
	const begin = Math.min(expires - ago, now);
	const passed = Math.floor((now - begin) / window);
	if (passed === 0) return { begin, previous, count };
	return { begin: begin + passed * window, previous: passed === 1 ? count : 0, count: 0 };
}

/** The requests of the last window's length: those of the window before count by the part of it that is still in that length. */
export function estimate({ begin, previous, count }: Counter, { window }: LimitPolicy, now: number): number {
	return count + previous * (1 - (now - begin) / window);
}

const slidingCounter = algorithm({
	capacity: ({ limit }) => limit,
	take(state, policy, now, cost) {
		const known = counted(state, policy, now);
		const isAccepted = estimate(known, policy, now) + cost <= policy.limit + tolerance;
		const { begin, previous } = known;
		const count = known.count + (isAccepted ? cost : 0);
		const expires = begin + policy.window * (count > 0 ? 2 : 1);
		return { state: { count, previous, expires, before: [expires - begin] }, isAccepted, delay: 0 };
	},
	remaining: (state, policy, now) =>
		Math.max(0, Math.floor(policy.limit - estimate(counted(state, policy, now), policy, now) + tolerance)),
	availableAt(state, policy, now, cost) {
		const { begin, previous, count } = counted(state, policy, now);
		const [{ window }, most] = [policy, policy.limit - cost];
		if (count > most) {
			// In the next window, this one is the one before.
			return begin + window + window * (1 - most / count);
		}
		return previous === 0 ? now : begin + window * (1 - (most - count) / previous);
	}
});

/** The time that is the state of an evenly spaced algorithm. `expires` is in whole milliseconds, and the rest is `before`. */
export function spacedUntil(state: LimitState | undefined, now: number): number {
	return state === undefined ? now : state.expires - (state.before?.[0] ?? 0);
}

/**
 * An algorithm whose whole state is one time: when it is as if no request had come.
 * @param ahead how far that time may be ahead of now before a request, in milliseconds
 * @param isQueue accepted requests wait until it is their turn
 */
function spaced(ahead: (policy: LimitPolicy) => number, isQueue = false): Algorithm {
	const freeAt = (state: LimitState | undefined, policy: LimitPolicy, now: number) =>
		Math.min(Math.max(spacedUntil(state, now), now), now + ahead(policy) + intervalOf(policy));
	const fitting = (time: number, policy: LimitPolicy) =>
		Math.max(0, Math.floor(time / intervalOf(policy) + tolerance) + 1);
	return algorithm({
		capacity: (policy) => (policy.limit < 1 ? 0 : fitting(ahead(policy), policy)),
		take(state, policy, now, cost) {
			if (policy.limit < 1)
				return { state: { count: (state?.count ?? 0) + 1, expires: now + policy.window }, isAccepted: false, delay: 0 };
			const [free, interval] = [freeAt(state, policy, now), intervalOf(policy)];
			const wait = free - now;
			const isAccepted = wait + (cost - 1) * interval <= ahead(policy) + tolerance;
			const next = isAccepted ? free + cost * interval : free;
			const expires = Math.ceil(next);
			const count = Math.ceil((next - now) / interval - tolerance);
			return {
				state: { count, expires, before: [expires - next] },
				isAccepted,
				delay: isAccepted && isQueue ? Math.round(wait) : 0
			};
		},
		remaining: (state, policy, now) => fitting(ahead(policy) - (freeAt(state, policy, now) - now), policy),
		availableAt: (state, policy, now, cost) =>
			freeAt(state, policy, now) - ahead(policy) + (cost - 1) * intervalOf(policy)
	});
}

/** The rate limits that a sandbox can have. */
export const algorithms: Readonly<Record<LimitAlgorithm, Algorithm>> = {
	fixed_window: fixedWindow,
	sliding_log: slidingLog,
	sliding_counter: slidingCounter,
	// A full bucket has as many tokens as the limit, and gets one in each interval.
	token_bucket: spaced((policy) => policy.window - intervalOf(policy)),
	// One request leaves the queue in each interval.
	leaky_bucket: spaced((policy) => Math.min(longestQueue, policy.window - intervalOf(policy)), true),
	// A tenth of the limit may come at once.
	gcra: spaced((policy) => intervalOf(policy) * (Math.max(1, Math.ceil(policy.limit / 10)) - 1))
};
