import type { TrafficEntry } from '#api/control/traffic.ts';
import { pathOf } from './agent-runs.ts';

/** `skipped`: not needed. `waiting`: it has not happened yet. */
export type Tone = 'ok' | 'caution' | 'error' | 'skipped' | 'waiting';

/** One thing that a client did in a step, and why. */
export type Try = {
	readonly tone: Tone;
	readonly status?: number | undefined;
	/** A URL, or what the message has. */
	readonly text: string;
	readonly reason: string;
	/** The exchange that shows it. */
	readonly exchange?: string;
};

/** An exchange as a try, without its reason. */
export function tryOf(entry: TrafficEntry, tone: Tone): Omit<Try, 'reason'> {
	return { tone, status: entry.response?.status, text: pathOf(entry), exchange: entry.id };
}

/** The worst tone of a step. */
export function toneOf(tries: readonly Try[]): Tone {
	const order: readonly Tone[] = ['error', 'caution', 'waiting', 'ok', 'skipped'];
	return order.find((tone) => tries.some((one) => one.tone === tone)) ?? 'waiting';
}
