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
	/** How many requests would be accepted now. */
	readonly remaining: number;
	/** When the next request is accepted if none remains; else when all are available again. */
	readonly reset: number;
};

/** A rate limit. Both functions are pure. */
export type Algorithm = {
	/** Decides about a request. @param state undefined: none is known, or it has expired */
	readonly take: (state: LimitState | undefined, policy: LimitPolicy, now: number) => Decision;
	readonly view: (state: LimitState | undefined, policy: LimitPolicy, now: number) => LimitView;
};

/** The longest wait in a queue, in milliseconds. A request that would wait longer is rejected. */
export const longestQueue = 10_000;

/** Milliseconds for each request, where they are evenly spaced. */
const intervalOf = ({ limit, window }: LimitPolicy): number => window / limit;
const noRequests = ({ limit }: LimitPolicy): boolean => limit < 1;
const latest = (window: number, now: number): LimitView => ({ remaining: 0, reset: now + window });

const fixedWindow: Algorithm = {
	take(state, { limit, window }, now) {
		const count = (state?.count ?? 0) + 1;
		const expires = Math.min(state?.expires ?? Infinity, now + window);
		return { state: { count, expires }, isAccepted: count <= limit, delay: 0 };
	},
	view(state, { limit, window }, now) {
		return {
			remaining: Math.max(0, limit - (state?.count ?? 0)),
			reset: Math.min(state?.expires ?? Infinity, now + window)
		};
	}
};

/** The times of the accepted requests that still count, oldest first. A time after now is now: the clock may have been moved back. */
function logged(state: LimitState | undefined, { window }: LimitPolicy, now: number): number[] {
	if (state === undefined) return [];
	return (state.before ?? []).map((ago) => Math.min(state.expires - ago, now)).filter((at) => at > now - window);
}

const logOf = (policy: LimitPolicy): LimitPolicy => ({ ...policy, limit: Math.min(policy.limit, longestLog) });

const slidingLog: Algorithm = {
	take(state, policy, now) {
		const { limit, window } = logOf(policy);
		const times = logged(state, policy, now);
		const isAccepted = times.length < limit;
		const kept = isAccepted ? [...times, now] : times;
		const expires = (kept.at(-1) ?? now) + window;
		return { state: { count: kept.length, expires, before: kept.map((at) => expires - at) }, isAccepted, delay: 0 };
	},
	view(state, policy, now) {
		const { limit, window } = logOf(policy);
		const times = logged(state, policy, now);
		const remaining = Math.max(0, limit - times.length);
		const decisive = remaining > 0 ? (times.at(-1) ?? now - window) : (times[times.length - limit] ?? now);
		return { remaining, reset: decisive + window };
	}
};

type Counter = { readonly begin: number; readonly previous: number; readonly count: number };

/** The window that contains now, and the count of the one before it. */
function counted(state: LimitState | undefined, { window }: LimitPolicy, now: number): Counter {
	if (state === undefined) return { begin: now, previous: 0, count: 0 };
	const { count, previous = 0, expires, before: [ago = 0] = [] } = state;
	const begin = Math.min(expires - ago, now);
	const passed = Math.floor((now - begin) / window);
	if (passed === 0) return { begin, previous, count };
	return { begin: begin + passed * window, previous: passed === 1 ? count : 0, count: 0 };
}

/** The requests of the last window's length: those of the window before count by the part of it that is still in that length. */
function estimate({ begin, previous, count }: Counter, { window }: LimitPolicy, now: number): number {
	return count + previous * (1 - (now - begin) / window);
}

/** When the estimate leaves room for another request. */
function roomAt({ begin, previous, count }: Counter, { limit, window }: LimitPolicy): number {
	if (count < limit) return begin + window * (1 - (limit - 1 - count) / previous);
	// In the next window, this one is the one before.
	return begin + window + window * (1 - (limit - 1) / count);
}

const slidingCounter: Algorithm = {
	take(state, policy, now) {
		const known = counted(state, policy, now);
		const isAccepted = estimate(known, policy, now) + 1 <= policy.limit + tolerance;
		const { begin, previous } = known;
		const count = known.count + (isAccepted ? 1 : 0);
		const expires = begin + policy.window * (count > 0 ? 2 : 1);
		return { state: { count, previous, expires, before: [expires - begin] }, isAccepted, delay: 0 };
	},
	view(state, policy, now) {
		if (noRequests(policy)) return latest(policy.window, now);
		const known = counted(state, policy, now);
		const remaining = Math.max(0, Math.floor(policy.limit - estimate(known, policy, now) + tolerance));
		if (remaining === 0) return { remaining, reset: roomAt(known, policy) };
		if (known.count === 0) return { remaining, reset: known.previous > 0 ? known.begin + policy.window : now };
		return { remaining, reset: known.begin + policy.window * 2 };
	}
};

/** Sums of fractions of milliseconds are this exact. */
const tolerance = 1e-6;

/**
 * An algorithm whose whole state is one time: when it is as if no request had come.
 * @param ahead how far that time may be ahead of now before a request, in milliseconds
 * @param isQueue accepted requests wait until it is their turn
 */
function spaced(ahead: (policy: LimitPolicy) => number, isQueue = false): Algorithm {
	// `expires` is the time in whole milliseconds, and the rest is `before`.
	const freeAt = (state: LimitState | undefined, policy: LimitPolicy, now: number) => {
		const exact = state === undefined ? now : state.expires - (state.before?.[0] ?? 0);
		return Math.min(Math.max(exact, now), now + ahead(policy) + intervalOf(policy));
	};
	return {
		take(state, policy, now) {
			if (noRequests(policy))
				return { state: { count: (state?.count ?? 0) + 1, expires: now + policy.window }, isAccepted: false, delay: 0 };
			const free = freeAt(state, policy, now);
			const wait = free - now;
			const isAccepted = wait <= ahead(policy) + tolerance;
			const next = isAccepted ? free + intervalOf(policy) : free;
			const expires = Math.ceil(next);
			const count = Math.ceil((next - now) / intervalOf(policy) - tolerance);
			return {
				state: { count, expires, before: [expires - next] },
				isAccepted,
				delay: isAccepted && isQueue ? Math.round(wait) : 0
			};
		},
		view(state, policy, now) {
			if (noRequests(policy)) return latest(policy.window, now);
			const free = freeAt(state, policy, now);
			const remaining = Math.max(0, Math.floor((ahead(policy) - (free - now)) / intervalOf(policy) + tolerance) + 1);
			return { remaining, reset: remaining > 0 ? free : free - ahead(policy) };
		}
	};
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
