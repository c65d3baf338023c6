import type { TrafficEntry } from '#api/control/traffic.ts';
import { SharedStream } from '#client/control-api/shared-stream.ts';
import type { EventStream } from '#client/control-api/stream-environment.ts';

/** The shortest time between two updates of the views, in milliseconds. A list that changes more often cannot be read. */
const updateInterval = 250;

/** What the feed needs of its browser. Tests pass their own. */
export type FeedEnvironment = {
	readonly openStream: (url: string) => EventStream;
	/** Calls a function before a paint, at most a few times a second. */
	readonly nextFrame: (run: () => void) => void;
	/** Calls a function after this number of milliseconds. */
	readonly wait: (run: () => void, milliseconds: number) => void;
};

let latestUpdate = -Infinity;

export const browserFeed: FeedEnvironment = {
	openStream: (url) => new SharedStream(url),
	nextFrame: (run) => {
		const delay = latestUpdate + updateInterval - performance.now();
		latestUpdate = performance.now() + Math.max(0, delay);
		setTimeout(() => requestAnimationFrame(run), delay);
	},
	wait: (run, milliseconds) => void setTimeout(run, milliseconds)
};

/** The service of this origin is our own, and its tests check every entry against this type. */
export function parseEntry(data: string): TrafficEntry;
export function parseEntry(data: string): unknown {
	const entry: unknown = JSON.parse(data);
	return entry;
}
