import { remainingAt, type RateLimit } from '#client/rate-limit/rate-limit-headers.ts';
import type { TrackedRateLimit } from '#client/rate-limit/tracker.ts';

/** The remaining calls at one time, in milliseconds since 1970 by the service's clock. */
export type Sample = { readonly at: number; readonly remaining: number };

/** A tracked rate limit with the course of its window, oldest sample first. */
export type Gauge = TrackedRateLimit & {
	readonly samples: readonly Sample[];
	/** Requests become available one by one, not all at the reset: a bucket, a queue or a log. */
	readonly isGradual: boolean;
};

/** What happens at the current rate of requests. */
export type Forecast =
	| { readonly kind: 'unknown' }
	/** No calls left until the reset. */
	| { readonly kind: 'exhausted' }
	/** No calls left now. Where they become available one by one, the first one comes at the reset at the latest. */
	| { readonly kind: 'exhausted_now' }
	/** `in` milliseconds. */
	| { readonly kind: 'exhausted_before_reset'; readonly in: number }
	| { readonly kind: 'sufficient'; readonly remainingAtReset: number; readonly callsPerMinute: number };

/** The rate is that of the last two minutes. Less than a minute of data is no rate. */
const period = 120_000;
const minPeriod = 60_000;
const maxSamples = 240;
/** Fewer samples make a block, not a course. */
const minSamples = 5;
/** Without windows, the course is that of the last hour, in milliseconds. */
const longestCourse = 3_600_000;
/** Resets are whole seconds. After this time, that of a bucket has moved, in milliseconds. */
const surelyMoved = 2000;

/** Adds the current state of a rate limit to the samples of its window, or of the last hour where it has none. */
export function addSample(known: Gauge | undefined, rateLimit: TrackedRateLimit): Gauge {
	const { updatedAt: at, remaining, reset, limit } = rateLimit;
	const sample = { at, remaining };
	if (known === undefined || known.limit !== limit) return { ...rateLimit, isGradual: false, samples: [sample] };
	const isSameWindow = known.reset === reset;
	const isGradual = isSameWindow
		? known.isGradual && !(at - known.updatedAt >= surelyMoved && remaining < known.remaining)
		: known.isGradual || (at < known.reset && known.remaining < known.limit); // a window without a request has not begun
	const earlier = isGradual
		? known.samples.filter((one) => one.at > at - longestCourse)
		: isSameWindow
			? known.samples
			: [];
	return { ...rateLimit, isGradual, samples: downsample([...earlier, sample]) };
}

/**
 * The calls that are left at least. After the reset that is all of them, but only one where they become available one by one and none was
 * left: then the reset is that of the next call.
 * @param now milliseconds since 1970 by the service's clock
 */
export function leftAtLeast(gauge: RateLimit & Pick<Gauge, 'isGradual'>, now: number): number {
	if (!gauge.isGradual || gauge.remaining > 0) return remainingAt(gauge, now);
	return now >= gauge.reset ? 1 : 0;
}

/**
 * Predicts whether the remaining calls suffice until the reset.
 * @param now milliseconds since 1970 by the service's clock
 */
export function forecastRateLimit(gauge: RateLimit & Pick<Gauge, 'samples' | 'isGradual'>, now: number): Forecast {
	const remaining = leftAtLeast(gauge, now);
	if (remaining === 0) return { kind: gauge.isGradual ? 'exhausted_now' : 'exhausted' };
	const recent = gauge.samples.filter(({ at }) => now - at <= period);
	const [first] = recent;
	const last = recent.at(-1);
	if (now >= gauge.reset || first === undefined || last === undefined || now - first.at < minPeriod) {
		return { kind: 'unknown' };
	}
	const callsPerMs = (first.remaining - last.remaining) / (now - first.at);
	const untilReset = gauge.reset - now;
	if (callsPerMs > 0 && remaining / callsPerMs < untilReset) {
		return { kind: 'exhausted_before_reset', in: remaining / callsPerMs };
	}
	// What becomes available meanwhile is part of the rate. How much is left at a reset that moves is not.
	if (gauge.isGradual) return { kind: 'unknown' };
	const remainingAtReset = Math.floor(remaining - Math.max(0, callsPerMs) * untilReset);
	return { kind: 'sufficient', remainingAtReset, callsPerMinute: Math.max(0, callsPerMs) * 60_000 };
}

/**
 * The remaining calls at equal time steps, for a chart. Empty while there are too few samples.
 * @param now end of the chart, in milliseconds since 1970 by the service's clock
 * @param points how many
 */
export function resample(samples: readonly Sample[], now: number, points = 60): readonly number[] {
	const [first] = samples;
	if (first === undefined || samples.length < minSamples) return [];
	const end = Math.max(now, samples.at(-1)?.at ?? 0);
	return Array.from({ length: points }, (_, point) => {
		const time = first.at + (end - first.at) * (point / (points - 1));
		return (samples.findLast(({ at }) => at <= time) ?? first).remaining;
	});
}

/** Drops every other sample of the older half, so that a long window keeps its shape. */
function downsample(samples: readonly Sample[]): readonly Sample[] {
	if (samples.length <= maxSamples) return samples;
	const half = samples.length >> 1;
	return samples.filter((_, at) => at >= half || at % 2 === 0);
}
