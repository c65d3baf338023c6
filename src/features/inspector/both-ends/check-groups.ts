import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { readsOf, sentParts, type SentPart } from './sent-parts.ts';

/** Checks that ran one after the other and read the same parts of the request. */
export type CheckGroup = {
	readonly key: string;
	/** `start`: of the connection and the form, before any part was read. `response`: the check that responded. */
	readonly kind: 'start' | 'checks' | 'response';
	/** The parts that they read. */
	readonly parts: readonly SentPart[];
	readonly lines: readonly TraceLine[];
	readonly isFailed: boolean;
};

/** Both ends of an exchange: what the client sent, and what the service checked. */
export type BothEnds = {
	/** In the order in which they were sent. */
	readonly parts: readonly SentPart[];
	/** In the order in which they ran. */
	readonly groups: readonly CheckGroup[];
	readonly passed: number;
	readonly failed: number;
};

/** Reads both ends of an exchange. */
export function readBothEnds(entry: TrafficEntry): BothEnds {
	const parts = sentParts(entry);
	const groups: CheckGroup[] = [];
	for (const line of entry.trace) {
		const names: readonly string[] = readsOf(line);
		const own = parts.filter(({ name }) => names.includes(name));
		const isFailed = line.outcome === 'failed';
		const isStart = own.length === 0 && line.outcome === 'passed' && groups.every(({ kind }) => kind === 'start');
		const kind = line.outcome === 'responded' ? 'response' : isStart ? 'start' : 'checks';
		const last = groups.at(-1);
		const joins =
			last?.kind === kind && !isFailed && !last.isFailed && (isStart || (own.length > 0 && isSame(own, last.parts)));
		if (joins) groups[groups.length - 1] = { ...last, lines: [...last.lines, line] };
		else groups.push({ key: line.id, kind, parts: own, lines: [line], isFailed });
	}
	const failed = entry.trace.filter(({ outcome }) => outcome === 'failed').length;
	return { parts, groups, failed, passed: entry.trace.length - failed };
}

/**
 * How many checks did not run because one before them failed, as the newest exchange of the same kind that got further shows.
 * @param entries the log
 * @returns 0 where the log has no such exchange
 */
export function countNotRun(entry: TrafficEntry, entries: readonly TrafficEntry[]): number {
	const failed = entry.trace.find(({ outcome }) => outcome === 'failed');
	if (failed === undefined) return 0;
	const further = entries.findLast(
		({ endpoint, trace }) =>
			endpoint === entry.endpoint &&
			trace.at(-1)?.outcome === 'responded' &&
			trace.some(({ id, outcome }) => id === failed.id && outcome === 'passed')
	);
	const at = further?.trace.findIndex(({ id }) => id === failed.id) ?? -1;
	return further === undefined ? 0 : further.trace.length - at - 1;
}

function isSame(parts: readonly SentPart[], others: readonly SentPart[]): boolean {
	return parts.length === others.length && parts.every(({ id }, index) => id === others[index]?.id);
}
