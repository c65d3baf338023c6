import { promisifyRequest, type UseStore } from 'idb-keyval';
import type { LazyTrafficEntry, TrafficEntry, TrafficLog } from '#service/traffic/traffic-log.ts';

/** How many exchanges of a sandbox are kept. */
const mostEntries = 500;

/** What tabs tell each other about a sandbox's log. */
type News = { readonly sandbox: string; readonly what: 'more' | 'cleared' };

/** The logs of all sandboxes, in IndexedDB, the same in all tabs. Entries lie under `[sandbox, seq]`, the last number under `[sandbox]`. */
export class KeptTraffic {
	readonly #room: UseStore;
	readonly #channel: BroadcastChannel;
	readonly #logs = new Map<string, KeptLog>();

	/**
	 * @param room for the entries
	 * @param channel on which the tabs of this deployment tell each other that there is more to read
	 */
	constructor(room: UseStore, channel: BroadcastChannel) {
		this.#room = room;
		this.#channel = channel;
		channel.addEventListener('message', ({ data }: MessageEvent<News>) =>
			this.#logs.get(data.sandbox)?.hear(data.what)
		);
	}

	/** The log of one sandbox: the same for the same id. */
	of(sandbox: string): TrafficLog {
		const known = this.#logs.get(sandbox);
		if (known !== undefined) return known;
		const log = new KeptLog(this.#room, sandbox, (what) => this.#channel.postMessage({ sandbox, what } satisfies News));
		this.#logs.set(sandbox, log);
		return log;
	}

	/** Resolves when all that was appended here is kept, and all that other tabs have kept is known here. */
	async settled(): Promise<void> {
		await Promise.all([...this.#logs.values()].map((log) => log.settled()));
	}

	/** Forgets a sandbox that is gone. */
	async drop(sandbox: string): Promise<void> {
		this.#logs.get(sandbox)?.close();
		this.#logs.delete(sandbox);
		await this.#room('readwrite', (objects) =>
			promisifyRequest(objects.delete(IDBKeyRange.bound([sandbox], [sandbox, []])))
		);
	}
}

class KeptLog implements TrafficLog {
	readonly #room: UseStore;
	readonly #sandbox: string;
	readonly #tell: (what: News['what']) => void;
	readonly #listeners = new Set<(entry: TrafficEntry) => void>();
	#known: TrafficEntry[] = [];
	#last = 0;
	#waiting: LazyTrafficEntry[] = [];
	#isClosed = false;
	#work: Promise<void> = Promise.resolve();

	constructor(room: UseStore, sandbox: string, tell: (what: News['what']) => void) {
		this.#room = room;
		this.#sandbox = sandbox;
		this.#tell = tell;
	}

	/** From now on nothing is kept: the sandbox is gone. */
	close(): void {
		this.#isClosed = true;
		this.#waiting = [];
	}

	append(draft: LazyTrafficEntry): void {
		if (this.#isClosed) return;
		this.#waiting.push(draft);
		if (this.#waiting.length === 1) this.#then(() => this.#keep());
	}

	async after(after: number, limit: number): Promise<TrafficEntry[]> {
		return this.#known.filter((entry) => entry.seq > after).slice(0, limit);
	}

	async find(id: string): Promise<TrafficEntry | undefined> {
		return this.#known.find((entry) => entry.id === id);
	}

	async clear(): Promise<void> {
		this.#waiting = [];
		this.#known = [];
		this.#then(async () => {
			const all = IDBKeyRange.bound([this.#sandbox, 0], [this.#sandbox, []]);
			await this.#room('readwrite', (objects) => promisifyRequest(objects.delete(all)));
			this.#tell('cleared');
		});
	}

	subscribe(listener: (entry: TrafficEntry) => void, after?: number): () => void {
		if (after !== undefined) this.#known.filter((entry) => entry.seq > after).forEach(listener);
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** What another tab says. */
	hear(what: News['what']): void {
		if (what === 'cleared') this.#known = [];
		else if (this.#listeners.size > 0) this.#then(() => this.#read());
	}

	settled(): Promise<void> {
		this.#then(() => this.#read());
		return this.#work;
	}

	/** Exchanges go on where the log can't be kept: what is lost is only their record. */
	#then(next: () => Promise<void>): void {
		this.#work = this.#work.then(next).catch(() => undefined);
	}

	/** Numbers what waits, and keeps it, in one transaction: two tabs never give one number twice. */
	async #keep(): Promise<void> {
		const drafts = this.#waiting;
		this.#waiting = [];
		if (drafts.length === 0) return;
		await this.#room('readwrite', async (objects) => {
			const before = (await promisifyRequest<number | undefined>(objects.get([this.#sandbox]))) ?? 0;
			drafts.forEach((draft, at) => {
				const seq = before + at + 1;
				objects.put(draft.entry(seq), [this.#sandbox, seq]);
			});
			const last = before + drafts.length;
			objects.put(last, [this.#sandbox]);
			objects.delete(IDBKeyRange.bound([this.#sandbox, 0], [this.#sandbox, Math.max(0, last - mostEntries)]));
			await promisifyRequest(objects.transaction);
		});
		this.#tell('more');
		if (this.#listeners.size > 0) await this.#read();
	}

	/** Takes up what was kept since, here and in other tabs, in the order of its numbers. */
	async #read(): Promise<void> {
		const newer = IDBKeyRange.bound([this.#sandbox, this.#last], [this.#sandbox, []], true);
		const fresh = await this.#room('readonly', (objects) => promisifyRequest<TrafficEntry[]>(objects.getAll(newer)));
		for (const entry of fresh) {
			this.#last = entry.seq;
			this.#known.push(entry);
			for (const listener of this.#listeners) listener(entry);
		}
		this.#known = this.#known.slice(-mostEntries);
	}
}
