import type { TrafficEntry } from '#api/control/traffic.ts';
import { exchangeOf, type LazyTrafficEntry, LoggedExchange } from './logged-exchange.ts';
import { type LabelSource, ValueLabels } from './value-labels.ts';
import { rootSandbox } from '../core/target.ts';

/** Hears of each new exchange, and reads it now, later or never. */
export type TrafficListener = (exchange: LoggedExchange) => void;

/** The exchanges of one sandbox. The log is bounded and drops the oldest entries. Held to `tests/service/traffic-log-contract.ts`. */
export interface TrafficLog {
	/** Adds an exchange. Readers see it once the promise resolves, which never rejects. Without a promise, at once. */
	append(draft: LazyTrafficEntry): Promise<void> | undefined;
	/** The labels of the values in the entries. */
	readonly labels: LabelSource;
	/** The exchanges with a number above `after`, oldest first, at most `limit`. */
	after(after: number, limit: number): Promise<LoggedExchange[]>;
	/** The entry with this `X-Request-Id`. */
	find(id: string): Promise<TrafficEntry | undefined>;
	/** Deletes all entries. Numbers continue. */
	clear(): Promise<void>;
	/**
	 * Calls `listener` for each exchange in the order of the numbers, until the returned function is called.
	 * @param after the number of the last one that the listener knows: it gets all later ones, each once. Undefined: new ones only
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

/** How many labeled values are remembered for each entry that the log can hold. A code exchange has five. */
export const labelsPerEntry = 3;

/**
 * A log in this process's memory.
 * @param limits how much is kept now
 * @param copy for a program that stores a copy of the log elsewhere
 */
export function createTrafficLog(limits: () => TrafficLimits, copy?: TrafficLogCopy): TrafficLog {
	let kept = (copy?.entries ?? []).map(exchangeOf);
	let size = kept.reduce((sum, one) => sum + one.size, 0);
	let seq = copy?.last ?? 0;
	const listeners = new Set<TrafficListener>();
	const eventListeners = new Set<(event: SandboxEvent) => void>();
	const dropOldest = () => {
		const { entries, characters } = limits();
		while (kept.length > entries || (size > characters && kept.length > 1)) {
			const oldest = kept.shift();
			size -= oldest?.size ?? 0;
			if (oldest !== undefined) copy?.onChange(oldest.seq, undefined);
		}
	};
	const exchangesAfter = (after: number) => {
		dropOldest();
		return kept.filter((exchange) => exchange.seq > after);
	};
	return {
		labels: new ValueLabels(() => labelsPerEntry * limits().entries, copy?.entries),
		append(draft) {
			seq++;
			const exchange = new LoggedExchange(seq, draft.id, draft.size, draft.entry);
			kept.push(exchange);
			size += draft.size;
			dropOldest();
			copy?.onChange(seq, exchange.entry());
			for (const listener of listeners) listener(exchange);
			return undefined;
		},
		async after(after, limit) {
			return exchangesAfter(after).slice(0, limit);
		},
		async find(id) {
			return exchangesAfter(0)
				.find((exchange) => exchange.id === id)
				?.entry();
		},
		async clear() {
			for (const { seq } of kept) copy?.onChange(seq, undefined);
			copy?.onClear(seq);
			kept = [];
			size = 0;
		},
		subscribe(listener, after, onEvent) {
			if (after !== undefined) exchangesAfter(after).forEach(listener);
			// Functions of their own, so that the same listener can subscribe twice.
			const own: TrafficListener = (exchange) => listener(exchange);
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

/** How much a traffic log keeps. */
export type TrafficLimits = {
	readonly entries: number;
	/** How much text the entries may hold together. */
	readonly characters: number;
};

const ofRoot: TrafficLimits = { entries: 500, characters: 512 * 1024 };
const ofOthers: TrafficLimits = { entries: 200, characters: 128 * 1024 };

/** How much text an entry may have on average if the operator has set their number. */
const charactersPerEntry = 1024;

/**
 * How much the log of a sandbox keeps. The text grows with the entries.
 * @param entries that the operator has set
 */
export function trafficLimits(sandbox: string, entries?: number): TrafficLimits {
	const usual = sandbox === rootSandbox ? ofRoot : ofOthers;
	if (entries === undefined) return usual;
	return { entries, characters: Math.max(usual.characters, entries * charactersPerEntry) };
}
