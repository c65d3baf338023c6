import type { TrafficEntry, TrafficLog } from './traffic.ts';

/** How long a stream may say nothing before it says that it is still there, in milliseconds: proxies cut off what is silent. */
export const heartbeat = 20_000;
/** How many entries, and how much text, wait for a slow reader; of more, the oldest are left out. */
const mostWaiting = 500;
const mostCharacters = 1024 * 1024;

/** What a stream needs of its sandbox and its host. */
export type StreamSource = {
	readonly log: TrafficLog;
	/** The number of the last entry that the reader has seen; undefined: it wants new ones only. */
	readonly after: number | undefined;
	/** Resolves after so many milliseconds. */
	readonly sleep: (milliseconds: number) => Promise<void>;
};

/** The open event streams of one sandbox. */
export class EventStreams {
	readonly #open = new Set<EventStream>();
	readonly #most: number;

	/** @param most how many may be open at once */
	constructor(most: number) {
		this.#most = most;
	}

	/**
	 * Opens a stream of entries as server-sent events. It counts from now on: whoever asks reads it, or ends its iteration.
	 * @returns undefined where too many are open
	 */
	open(source: StreamSource): AsyncIterable<string> | undefined {
		if (this.#open.size >= this.#most) return undefined;
		const stream = new EventStream(source, () => this.#open.delete(stream));
		this.#open.add(stream);
		return { [Symbol.asyncIterator]: () => stream };
	}

	/** Tells all readers of an event that is no entry. */
	tell(name: string): void {
		for (const stream of this.#open) stream.say(`event: ${name}\ndata: {}\n\n`);
	}

	/** Ends all streams, each after what its reader has not read yet. */
	end(): void {
		for (const stream of [...this.#open]) stream.end();
	}
}

/** Not a generator: leaving one that waits for its next event would leave its subscription behind. */
class EventStream implements AsyncIterator<string> {
	readonly #source: StreamSource;
	readonly #leave: () => void;
	#waiting: string[] = [];
	#characters = 0;
	#isOver = false;
	#isBeating = false;
	#wake = () => {};

	constructor(source: StreamSource, closed: () => void) {
		this.#source = source;
		this.say(': the traffic of this sandbox\n\n');
		const push = (entry: TrafficEntry) => this.say(`id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`);
		if (source.after !== undefined) source.log.after(source.after, mostWaiting - 1).forEach(push);
		const unsubscribe = source.log.subscribe(push);
		this.#leave = () => {
			unsubscribe();
			closed();
		};
	}

	say(text: string): void {
		if (this.#isOver) return;
		this.#waiting.push(text);
		this.#characters += text.length;
		while (this.#waiting.length > mostWaiting || (this.#characters > mostCharacters && this.#waiting.length > 1)) {
			this.#characters -= this.#waiting.shift()?.length ?? 0;
		}
		this.#wake();
	}

	end(): void {
		this.#isOver = true;
		this.#leave();
		this.#wake();
	}

	async next(): Promise<IteratorResult<string>> {
		while (this.#waiting.length === 0 && !this.#isOver) {
			this.#beat();
			await new Promise<void>((resolve) => (this.#wake = resolve));
		}
		const value = this.#waiting.shift();
		this.#characters -= value?.length ?? 0;
		return value === undefined ? { done: true, value } : { done: false, value };
	}

	return(): Promise<IteratorResult<string>> {
		this.#waiting = [];
		this.end();
		return Promise.resolve({ done: true, value: undefined });
	}

	/** Begins to wait for the next heartbeat; one at a time, however many events come before it. */
	#beat(): void {
		if (this.#isBeating) return;
		this.#isBeating = true;
		void this.#source.sleep(heartbeat).then(() => {
			this.#isBeating = false;
			if (this.#waiting.length === 0) this.say(': still here\n\n');
		});
	}
}
