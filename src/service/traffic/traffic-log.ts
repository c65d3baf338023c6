import type { TraceLine } from '../trace.ts';

/** One exchange as it is kept: what went over the wire, who took part, and why the answer was what it was. No secrets. */
export type TrafficEntry = {
	/** Counts up by one within a sandbox. */
	readonly seq: number;
	/** The answer's `X-Request-Id`. */
	readonly id: string;
	/** Milliseconds, sandbox clock. */
	readonly at: number;
	/** Milliseconds. */
	readonly duration: number;
	readonly endpoint: string;
	readonly address: string;
	readonly client_id?: string;
	readonly username?: string;
	readonly request: TrafficMessage & { readonly method: string; readonly target: string };
	/** Null where there was no response at all. */
	readonly response: (TrafficMessage & { readonly status: number }) | null;
	readonly trace: readonly TraceLine[];
};

type TrafficMessage = { readonly headers: readonly (readonly [name: string, value: string])[]; readonly body: string };

/** An entry before it has its number; built only when somebody reads it. */
export type LazyTrafficEntry = { readonly size: number; readonly entry: (seq: number) => TrafficEntry };

/** The bounded log of one sandbox's exchanges. */
export interface TrafficLog {
	append(draft: LazyTrafficEntry): void;
	/** Entries with a number above `after`, oldest first, at most `limit`. */
	after(after: number, limit: number): TrafficEntry[];
	find(id: string): TrafficEntry | undefined;
	clear(): void;
	/** Calls `listener` for each new entry until the returned function is called. */
	subscribe(listener: (entry: TrafficEntry) => void): () => void;
}

/**
 * A log in this process's memory.
 * @param mostEntries how many entries are kept
 * @param mostCharacters how much text they may hold together
 */
export function createTrafficLog(mostEntries = 500, mostCharacters = 512 * 1024): TrafficLog {
	let kept: { readonly seq: number; readonly draft: LazyTrafficEntry }[] = [];
	let size = 0;
	let seq = 0;
	const listeners = new Set<(entry: TrafficEntry) => void>();
	return {
		append(draft) {
			seq++;
			kept.push({ seq, draft });
			size += draft.size;
			while (kept.length > mostEntries || (size > mostCharacters && kept.length > 1)) {
				size -= kept.shift()?.draft.size ?? 0;
			}
			if (listeners.size === 0) return;
			const entry = draft.entry(seq);
			for (const listener of listeners) listener(entry);
		},
		after: (after, limit) =>
			kept
				.filter((one) => one.seq > after)
				.slice(0, limit)
				.map((one) => one.draft.entry(one.seq)),
		find(id) {
			for (const one of kept) {
				const entry = one.draft.entry(one.seq);
				if (entry.id === id) return entry;
			}
			return undefined;
		},
		clear() {
			kept = [];
			size = 0;
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		}
	};
}
