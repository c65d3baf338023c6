import * as v from 'valibot';
import { trafficEntry, type TrafficEntry } from '#api/control/traffic.ts';
import type { LessonRun } from './run.ts';

const keptEntries = v.object({ sandbox: v.string(), after: v.number(), entries: v.array(trafficEntry) });

/** Validates what was kept of a run; empty where it is of another run, or of another version. */
export function parseEntries(found: unknown, { sandbox, after }: Pick<LessonRun, 'sandbox' | 'after'>): TrafficEntry[] {
	const parsed = v.safeParse(keptEntries, found);
	return parsed.success && parsed.output.sandbox === sandbox && parsed.output.after === after
		? parsed.output.entries
		: [];
}

/**
 * The exchanges of a run: what was kept, then what the log has since.
 * @param after exchanges of the log up to this number belong to an earlier run
 */
export function mergeEntries(
	kept: readonly TrafficEntry[],
	log: readonly TrafficEntry[],
	after: number
): readonly TrafficEntry[] {
	const known = new Set(kept.map(({ id }) => id));
	const last = kept.at(-1)?.seq ?? after;
	const isRestarted = (log.at(-1)?.seq ?? 0) < after;
	const fresh = log.filter(({ id, seq }) => !known.has(id) && (isRestarted || seq > after));
	// A service that started again counts from 1. The numbers of a run only rise.
	const shift = Math.max(0, last + 1 - (fresh[0]?.seq ?? Infinity));
	return [...kept, ...(shift === 0 ? fresh : fresh.map((entry) => ({ ...entry, seq: entry.seq + shift })))];
}
