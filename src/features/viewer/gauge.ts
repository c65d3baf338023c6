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
