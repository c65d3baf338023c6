import { remainingAt, type RateLimit } from '#client/rate-limit/rate-limit-headers.ts';
import type { TrackedRateLimit } from '#client/rate-limit/tracker.ts';

/** The remaining calls at one time, in milliseconds since 1970 by the service's clock. */
export type Sample = { readonly at: number; readonly remaining: number };

/** A tracked rate limit with the course of its window, oldest sample first. */
export type Gauge = TrackedRateLimit & { readonly samples: readonly Sample[] };

/** What happens at the current rate of requests. */
export type Forecast =
	| { readonly kind: 'unknown' }
	/** No calls left until the reset. */
	| { readonly kind: 'exhausted' }
	/** `in` milliseconds. */
	| { readonly kind: 'exhausted_before_reset'; readonly in: number }
	| { readonly kind: 'sufficient'; readonly remainingAtReset: number; readonly callsPerMinute: number };

/** The rate is that of the last two minutes. Less than a minute of data is no rate. */
const period = 120_000;
const minPeriod = 60_000;
const maxSamples = 240;
/** Fewer samples make a block, not a course. */
const minSamples = 5;

/** Adds the current state of a rate limit to the samples of its window. */
export function addSample(known: Gauge | undefined, rateLimit: TrackedRateLimit): Gauge {
	const isSameWindow = known?.reset === rateLimit.reset && known.limit === rateLimit.limit;
	const earlier = isSameWindow ? known.samples : [];
	const samples = [...earlier, { at: rateLimit.updatedAt, remaining: rateLimit.remaining }];
	return { ...rateLimit, samples: downsample(samples) };
}

/**
 * Predicts whether the remaining calls suffice until the reset.
 * @param now milliseconds since 1970 by the service's clock
 */
export function forecastRateLimit(gauge: RateLimit & Pick<Gauge, 'samples'>, now: number): Forecast {
	const remaining = remainingAt(gauge, now);
	if (remaining === 0) return { kind: 'exhausted' };
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
