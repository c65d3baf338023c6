import { ProtocolError } from '../errors.ts';
import type { StreamSlot, StreamQuota } from './stream-quota.ts';
import type { TrafficEntry, TrafficLog } from './traffic-log.ts';

/** How long a stream may say nothing before it says that it is still there, in milliseconds: proxies cut off what is silent. */
export const heartbeatInterval = 20_000;
/** How long a reader whose stream gave way should stay away, in milliseconds; a browser's `EventSource` keeps to it. */
const retryAfter = 60_000;
const gaveWay =
	'All event streams of this server were in use, and this address had most of them: the oldest gave way to somebody who had none.';
/** How many entries, and how much text, wait for a slow reader; of more, the oldest are left out. */
const mostWaiting = 500;
const mostCharacters = 1024 * 1024;

/** What a stream needs of its sandbox and its host. */
export type StreamOptions = {
	readonly log: TrafficLog;
	/** The number of the last entry that the reader has seen; undefined: it wants new ones only. */
	readonly after: number | undefined;
	/** The network address that reads. */
	readonly address: string;
	/** Resolves after so many milliseconds. */
	readonly sleep: (milliseconds: number) => Promise<void>;
};

/** The open event streams of one sandbox. */
export class SseStreams {
	readonly #open = new Set<SseStream>();
	readonly #most: number;
	readonly #shares: StreamQuota | undefined;

	/**
	 * @param most how many may be open at once
	 * @param shares what all sandboxes have together; absent where these streams are apart from it
	 */
	constructor(most: number, shares?: StreamQuota) {
		this.#most = most;
		this.#shares = shares;
	}

	/**
	 * Opens a stream of entries as server-sent events. It counts from now on: whoever asks reads it, or ends its iteration.
	 * It may have to give way to another sandbox's, and says so: an event `closing` whose data give the `reason`.
	 * @throws ProtocolError `limit_reached` where too many are open
	 */
	open(source: StreamOptions): AsyncIterable<string> {
		if (this.#open.size >= this.#most) {
			throw new ProtocolError('limit_reached', 'This sandbox has as many event streams open as it may. Close one.');
		}
		const share: StreamSlot = { address: source.address, sandbox: this, evict: () => stream.evict() };
		if (this.#shares?.take(share) === false) {
			throw new ProtocolError(
				'limit_reached',
				'All event streams of this server are in use, and nobody has more than you. Close one, or try again later.'
			);
		}
		const stream = new SseStream(source, () => {
			this.#open.delete(stream);
			this.#shares?.release(share);
		});
		this.#open.add(stream);
		return { [Symbol.asyncIterator]: () => stream };
	}

	/** Tells all readers of an event that is no entry. */
	broadcast(name: string): void {
		for (const stream of this.#open) stream.enqueue(`event: ${name}\ndata: {}\n\n`);
	}

	/** Ends all streams, each after what its reader has not read yet. */
	end(): void {
		for (const stream of [...this.#open]) stream.end();
	}
}

/** Not a generator: leaving one that waits for its next event would leave its subscription behind. */
class SseStream implements AsyncIterator<string> {
	readonly #source: StreamOptions;
	readonly #leave: () => void;
	#waiting: string[] = [];
	#characters = 0;
	#isOver = false;
	#isBeating = false;
	#wake = () => {};

	constructor(source: StreamOptions, closed: () => void) {
		this.#source = source;
		this.enqueue(': the traffic of this sandbox\n\n');
		const push = (entry: TrafficEntry) => this.enqueue(`id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`);
		const unsubscribe = source.log.subscribe(push, source.after);
		this.#leave = () => {
			unsubscribe();
			closed();
		};
	}

	enqueue(text: string): void {
		if (this.#isOver) return;
		this.#waiting.push(text);
		this.#characters += text.length;
		while (this.#waiting.length > mostWaiting || (this.#characters > mostCharacters && this.#waiting.length > 1)) {
			this.#characters -= this.#waiting.shift()?.length ?? 0;
		}
		this.#wake();
	}

	/** Ends it in favour of somebody else, with the reason as its last word. */
	evict(): void {
		this.enqueue(`retry: ${retryAfter}\nevent: closing\ndata: ${JSON.stringify({ reason: gaveWay })}\n\n`);
		this.end();
	}

	end(): void {
		this.#isOver = true;
		this.#leave();
		this.#wake();
	}

	async next(): Promise<IteratorResult<string>> {
		while (this.#waiting.length === 0 && !this.#isOver) {
			this.#heartbeat();
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
	#heartbeat(): void {
		if (this.#isBeating) return;
		this.#isBeating = true;
		void this.#source.sleep(heartbeatInterval).then(() => {
			this.#isBeating = false;
			if (this.#waiting.length === 0) this.enqueue(': still here\n\n');
		});
	}
}
