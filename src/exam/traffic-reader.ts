import type { TrafficEntry } from '#api/control/traffic.ts';
import { trafficAfter } from '#client/control-api/control-api.ts';
import type { ExamSandbox } from './sandbox.ts';
import type { Timers } from './timers.ts';

/** Time before the stream is opened again after a failure, in milliseconds. */
const retryDelay = 500;
/** How often the reader looks whether the traffic has stopped, in milliseconds. */
const pollInterval = 25;
/** How long an entry takes from the service to the reader at most, in milliseconds. */
const delivery = 50;

/** Collects the traffic of a sandbox from its event stream. The log itself forgets entries within seconds. */
export class TrafficReader {
	/** All entries, in order. */
	readonly entries: TrafficEntry[] = [];
	readonly #sandbox: ExamSandbox;
	readonly #timers: Timers;
	readonly #end = new AbortController();
	readonly #onEntry: (entry: TrafficEntry) => void;
	readonly #ids = new Set<string>();
	#changedAt: number;
	/** What is added to the numbers of the service. After a restart, it counts from 1 again. */
	#offset = 0;
	/** How many times the stream broke off or could not be opened, or the service had begun a new log. */
	outages = 0;

	/** @param onEntry gets each entry, after it was added */
	constructor(sandbox: ExamSandbox, timers: Timers, onEntry: (entry: TrafficEntry) => void = () => {}) {
		this.#sandbox = sandbox;
		this.#timers = timers;
		this.#onEntry = onEntry;
		this.#changedAt = timers.now();
	}

	/** The number of the last entry; 0 before the first. */
	get last(): number {
		return this.entries.at(-1)?.seq ?? 0;
	}

	/** Resolves once the stream is open. It is opened again whenever it breaks off. */
	async start(): Promise<void> {
		const first = await this.#open();
		void this.#follow(first);
	}

	stop(): void {
		this.#end.abort();
	}

	/** Waits until no entry has arrived for a time, but no longer than six times that: a client may poll. @param milliseconds without an entry */
	async quiet(milliseconds: number, signal: AbortSignal): Promise<void> {
		const begin = this.#timers.now();
		const left = () => {
			const end = Math.max(this.#changedAt + milliseconds, begin + delivery);
			return Math.min(end, begin + 6 * milliseconds) - this.#timers.now();
		};
		while (!signal.aborted && left() > 0) await this.#timers.sleep(left(), signal);
	}

	/** Waits until something is true of the entries, and returns whether it is. @param milliseconds at most */
	async waitFor(
		isTrue: (entries: readonly TrafficEntry[]) => boolean,
		milliseconds: number,
		signal: AbortSignal
	): Promise<boolean> {
		const begin = this.#timers.now();
		while (!isTrue(this.entries) && !signal.aborted && this.#timers.now() - begin < milliseconds)
			await this.#timers.sleep(pollInterval, signal);
		return isTrue(this.entries);
	}

	async #open(): Promise<Response | undefined> {
		const { api, key, fetch } = this.#sandbox;
		// All entries of the log, because their numbers may be those of a new one.
		const url = `${api.baseUrl}/control/traffic/stream?after=0`;
		const { signal } = this.#end;
		try {
			const response = await fetch(url, {
				headers: { ...(key === undefined ? {} : { 'x-tollgate-key': key }), accept: 'text/event-stream' },
				signal
			});
			return response.ok ? response : undefined;
		} catch {
			return undefined;
		}
	}

	async #follow(first: Response | undefined): Promise<void> {
		for (let response = first; !this.#end.signal.aborted; response = await this.#open()) {
			await this.#read(response?.body ?? undefined).catch(() => undefined);
			this.outages++;
			await this.#timers.sleep(retryDelay, this.#end.signal);
		}
	}

	async #read(body: ReadableStream<Uint8Array> | undefined): Promise<void> {
		const reader = body?.getReader();
		if (reader === undefined) return;
		const decoder = new TextDecoder();
		const stop = () => void reader.cancel().catch(() => undefined);
		this.#end.signal.addEventListener('abort', stop);
		let text = '';
		for (let next = await reader.read(); !next.done; next = await reader.read()) {
			text += decoder.decode(next.value, { stream: true });
			const events = text.split('\n\n');
			text = events.pop() ?? '';
			for (const event of events) await this.#receive(event);
		}
		this.#end.signal.removeEventListener('abort', stop);
	}

	async #receive(event: string): Promise<void> {
		const data = /^data: (.*)$/m.exec(event)?.[1];
		if (data === undefined || !/^id: /m.test(event)) return;
		const entry = parseEntry(data);
		if (this.#ids.has(entry.id)) return;
		if (entry.seq + this.#offset <= this.last) {
			this.#offset = this.last;
			this.outages++;
		}
		// A slow reader misses events. The log still has the entries.
		if (entry.seq + this.#offset > this.last + 1 && this.last > 0) await this.#readMissing(entry.seq);
		this.#add(entry);
	}

	async #readMissing(before: number): Promise<void> {
		const { api, key } = this.#sandbox;
		const { entries } = await api.request('GET /control/traffic', {
			...(key === undefined ? {} : { key }),
			...trafficAfter(this.last - this.#offset)
		});
		for (const entry of entries) if (entry.seq < before) this.#add(entry);
	}

	#add(entry: TrafficEntry): void {
		this.#ids.add(entry.id);
		this.entries.push({ ...entry, seq: entry.seq + this.#offset });
		this.#changedAt = this.#timers.now();
		this.#onEntry(entry);
	}
}

/** The service wrote it: its tests check every entry against this type. */
function parseEntry(data: string): TrafficEntry;
function parseEntry(data: string): unknown {
	const entry: unknown = JSON.parse(data);
	return entry;
}
