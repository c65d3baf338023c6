import type { TrafficEntry } from '#api/control/traffic.ts';
import type { TrafficLimits } from './traffic-limits.ts';
import { ValueLabels, type LabelSource } from './value-labels.ts';

/** An entry before it has its number. It is built only if it is read. */
export type LazyTrafficEntry = { readonly size: number; readonly entry: (seq: number) => TrafficEntry };

/** Hears of each new entry, and reads it now, later or never. */
export type TrafficListener = (read: () => TrafficEntry) => void;

/** The exchanges of one sandbox. The log is bounded and drops the oldest entries. Held to `tests/service/traffic-log-contract.ts`. */
export interface TrafficLog {
	/** Adds an exchange. Readers see the entry once the promise resolves, which never rejects. Without a promise, at once. */
	append(draft: LazyTrafficEntry): Promise<void> | undefined;
	/** The labels of the values in the entries. */
	readonly labels: LabelSource;
	/** The entries with a number above `after`, oldest first, at most `limit`. */
	after(after: number, limit: number): Promise<TrafficEntry[]>;
	/** The entry with this `X-Request-Id`. */
	find(id: string): Promise<TrafficEntry | undefined>;
	/** Deletes all entries. Numbers continue. */
	clear(): Promise<void>;
	/**
	 * Calls `listener` for each entry in the order of the numbers, until the returned function is called. It gets a function that
	 * returns the entry, which is built when the first listener reads it.
	 * @param after the number of the last entry that the listener knows: it gets all later ones, each once. Undefined: new entries only
	 * @param onEvent called for each event of the sandbox
	 */
	subscribe(listener: TrafficListener, after?: number, onEvent?: (event: SandboxEvent) => void): () => void;
	/** Tells the subscribers of an event, in all processes that share the log. */
	announce(event: SandboxEvent): void;
}

/**
 * `reset`: all records were replaced. `deleted`: the sandbox no longer exists. `revoked`: keys of the sandbox no longer work.
 * `notice`: its class has something new for it.
 */
export const sandboxEvents = ['reset', 'notice', 'deleted', 'revoked'] as const;
export type SandboxEvent = (typeof sandboxEvents)[number];

/** For a program that stores a copy of the log elsewhere. */
export type TrafficLogCopy = {
	/** The entries that the log starts with, oldest first. */
	readonly entries: readonly TrafficEntry[];
	/** The number of the last entry so far, also if the log was cleared since. */
	readonly last: number;
	/** Called for each entry that is added, or (undefined) removed. */
	readonly onChange: (seq: number, entry: TrafficEntry | undefined) => void;
	/** Called after the log was cleared, with the number of the last entry. */
	readonly onClear: (last: number) => void;
};

/** How many labelled values are remembered for each entry that the log can hold. A code exchange has five. */
export const labelsPerEntry = 3;

/**
 * A log in this process's memory.
 * @param limits how much is kept now
 * @param copy for a program that stores a copy of the log elsewhere
 */
export function createTrafficLog(limits: () => TrafficLimits, copy?: TrafficLogCopy): TrafficLog {
	let kept: { readonly seq: number; readonly draft: LazyTrafficEntry }[] = (copy?.entries ?? []).map(restored);
	let size = kept.reduce((sum, { draft }) => sum + draft.size, 0);
	let seq = copy?.last ?? 0;
	const listeners = new Set<TrafficListener>();
	const eventListeners = new Set<(event: SandboxEvent) => void>();
	const dropOldest = () => {
		const { entries, characters } = limits();
		while (kept.length > entries || (size > characters && kept.length > 1)) {
			const oldest = kept.shift();
			size -= oldest?.draft.size ?? 0;
			if (oldest !== undefined) copy?.onChange(oldest.seq, undefined);
		}
	};
	const entriesAfter = (after: number, limit = Infinity) => {
		dropOldest();
		const found = kept.filter((one) => one.seq > after).slice(0, limit);
		return found.map((one) => one.draft.entry(one.seq));
	};
	return {
		labels: new ValueLabels(() => labelsPerEntry * limits().entries, copy?.entries),
		append(draft) {
			seq++;
			kept.push({ seq, draft });
			size += draft.size;
			dropOldest();
			if (listeners.size === 0 && copy === undefined) return undefined;
			const read = readOnce(seq, draft);
			copy?.onChange(seq, read());
			for (const listener of listeners) listener(read);
			return undefined;
		},
		async after(after, limit) {
			return entriesAfter(after, limit);
		},
		async find(id) {
			return entriesAfter(0).find((entry) => entry.id === id);
		},
		async clear() {
			for (const { seq } of kept) copy?.onChange(seq, undefined);
			copy?.onClear(seq);
			kept = [];
			size = 0;
		},
		subscribe(listener, after, onEvent) {
			if (after !== undefined) for (const entry of entriesAfter(after)) listener(() => entry);
			// Functions of their own, so that the same listener can subscribe twice.
			const own: TrafficListener = (read) => listener(read);
			const ownEvents = (event: SandboxEvent) => onEvent?.(event);
			listeners.add(own);
			eventListeners.add(ownEvents);
			return () => {
				listeners.delete(own);
				eventListeners.delete(ownEvents);
			};
		},
		announce(event) {
			for (const listener of [...eventListeners]) listener(event);
		}
	};
}

/** All listeners share the entry. */
function readOnce(seq: number, draft: LazyTrafficEntry): () => TrafficEntry {
	let entry: TrafficEntry | undefined;
	return () => (entry ??= draft.entry(seq));
}

function restored(entry: TrafficEntry): { readonly seq: number; readonly draft: LazyTrafficEntry } {
	return { seq: entry.seq, draft: { size: JSON.stringify(entry).length, entry: () => entry } };
}
