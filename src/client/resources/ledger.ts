/** What one answer said of a limit, in its headers (section 8.4). */
export type Budget = {
	readonly limit: number;
	readonly remaining: number;
	/** Milliseconds since 1970, by the service's clock. */
	readonly reset: number;
};

/** One point of a window's history. */
export type Reading = { readonly at: number; readonly remaining: number };

/** All that is known of one pattern, from headers alone. */
export type Meter = Budget & {
	readonly pattern: string;
	/** When the last answer came, in milliseconds by the service's clock. */
	readonly heard: number;
	/** The window so far, oldest first. */
	readonly history: readonly Reading[];
};

/** How many readings of one window are kept. */
const mostReadings = 240;

/**
 * Reads the four headers of an answer; undefined where they are missing or make no sense.
 * @param headers of any answer
 */
export function budgetOf(headers: Headers): Budget | undefined {
	const limit = wholeNumber(headers.get('x-ratelimit-limit'));
	const remaining = wholeNumber(headers.get('x-ratelimit-remaining'));
	const reset = wholeNumber(headers.get('x-ratelimit-reset'));
	if (limit === undefined || remaining === undefined || reset === undefined || limit === 0) return undefined;
	return { limit, remaining: Math.min(remaining, limit), reset: reset * 1000 };
}

/** Keeps what the headers of each answer said, pattern by pattern. */
export class Ledger {
	readonly #meters = new Map<string, Meter>();
	readonly #listeners = new Set<(meter: Meter) => void>();

	/** What is known, in the order in which it became known. */
	get meters(): readonly Meter[] {
		return [...this.#meters.values()];
	}

	/** What is known of one pattern. */
	meter(pattern: string): Meter | undefined {
		return this.#meters.get(pattern);
	}

	/**
	 * Takes in the headers of an answer. Answers of parallel calls may overtake each other: within one window the count
	 * only falls.
	 * @param pattern that the call counted against
	 * @param budget what the headers said
	 * @param now milliseconds, by the service's clock
	 */
	observe(pattern: string, budget: Budget, now: number): void {
		const before = this.#meters.get(pattern);
		const isStraggler = before !== undefined && budget.reset < before.reset && budget.reset <= now + 1000;
		if (isStraggler) return;
		const same = before !== undefined && isSameWindow(before, budget);
		const remaining = same ? Math.min(before.remaining, budget.remaining) : budget.remaining;
		const history = [...(same ? before.history : []), { at: now, remaining }];
		const meter: Meter = { ...budget, remaining, pattern, heard: now, history: thinned(history) };
		this.#meters.set(pattern, meter);
		for (const listener of this.#listeners) listener(meter);
	}

	/**
	 * Takes in what was known before a reload, or is known in another tab; of one and the same window the histories of
	 * both. A window that has passed meanwhile says nothing any more and is left out.
	 * @param meters as they were kept
	 * @param now milliseconds, by the service's clock
	 */
	restore(meters: readonly Meter[], now: number): void {
		for (const other of meters) {
			if (other.reset <= now) continue;
			const known = this.#meters.get(other.pattern);
			const meter = known !== undefined && isSameWindow(known, other) ? merged(known, other) : other;
			this.#meters.set(meter.pattern, meter);
			for (const listener of this.#listeners) listener(meter);
		}
	}

	/** Listens to what answers say. Returns what ends it. */
	listen(heard: (meter: Meter) => void): () => void {
		this.#listeners.add(heard);
		return () => this.#listeners.delete(heard);
	}
}

/**
 * The history of a window at equal distances of time, as a curve wants it: what was left at each of them.
 * @param history oldest first
 * @param now where the curve ends, in milliseconds by the service's clock
 * @param points how many
 */
export function sampled(history: readonly Reading[], now: number, points = 60): readonly number[] {
	const [first] = history;
	if (first === undefined) return [];
	const end = Math.max(now, history.at(-1)?.at ?? 0);
	const curve: number[] = [];
	let at = 0;
	for (let point = 0; point < points; point += 1) {
		const time = first.at + (end - first.at) * (point / (points - 1));
		while ((history[at + 1]?.at ?? Infinity) <= time) at += 1;
		curve.push(history[at]?.remaining ?? first.remaining);
	}
	return curve;
}

/** What is left of a meter now: all of it once its window is over (section 8.6). */
export function leftOf(meter: Budget, now: number): number {
	return now >= meter.reset ? meter.limit : meter.remaining;
}

/** Whether two budgets tell of one window: a limit that was changed begins anew. */
export function isSameWindow(one: Budget, other: Budget): boolean {
	return one.reset === other.reset && one.limit === other.limit;
}

/** One window as two tabs have seen it: the count only falls. */
function merged(one: Meter, other: Meter): Meter {
	const keyOf = ({ at, remaining }: Reading) => `${String(at)} ${String(remaining)}`;
	const known = new Set(one.history.map(keyOf));
	const readings = [...one.history, ...other.history.filter((reading) => !known.has(keyOf(reading)))];
	let left = one.limit;
	const history = readings
		.sort((before, after) => before.at - after.at)
		.map(({ at, remaining }) => ({ at, remaining: (left = Math.min(left, remaining)) }));
	const heard = Math.max(one.heard, other.heard);
	return { ...one, remaining: Math.min(one.remaining, other.remaining), heard, history: thinned(history) };
}

/** Drops every other reading of the older half, so that a long window keeps its shape. */
function thinned(history: readonly Reading[]): readonly Reading[] {
	if (history.length <= mostReadings) return history;
	const half = history.length >> 1;
	return history.filter((_, at) => at >= half || at % 2 === 0);
}

function wholeNumber(text: string | null): number | undefined {
	return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
