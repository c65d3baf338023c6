import type { AddressQuota } from '../core/address-limits.ts';
import { ProtocolError } from '../core/errors.ts';
import type { LoggedExchange } from './logged-exchange.ts';
import type { TrafficLog } from './traffic-log.ts';

/** The longest time without an event, in milliseconds. Then a heartbeat is sent, because proxies close idle connections. */
export const heartbeatInterval = 20_000;
/** How many events and how much text wait for a slow reader. Beyond that the oldest events are dropped. */
const maxQueued = 500;
const maxCharacters = 1024 * 1024;

/** What a stream needs of its sandbox and its host. */
export type StreamOptions = {
	readonly log: TrafficLog;
	/** The number of the last entry that the reader has seen. Undefined: it wants new ones only. */
	readonly after: number | undefined;
	/** The network address of the reader. */
	readonly address: string;
	/** Resolves after this number of milliseconds. */
	readonly sleep: (milliseconds: number) => Promise<void>;
};

/** The open event streams of one sandbox. */
export class SseStreams {
	readonly #open = new Set<SseStream>();
	#newest = { id: '', event: '' };
	readonly #quotas: readonly AddressQuota[];

	/** @param quotas that each stream counts against, first that of the sandbox alone */
	constructor(...quotas: readonly AddressQuota[]) {
		this.#quotas = quotas;
	}

	/**
	 * Opens a stream of log entries as server-sent events. It counts against the quotas until its iteration ends.
	 * @throws ProtocolError `limit_reached`
	 */
	open(source: StreamOptions): AsyncIterable<string> {
		const { address } = source;
		const full = this.#quotas.findIndex((quota) => !quota.take(address));
		const taken = full === -1 ? this.#quotas : this.#quotas.slice(0, full);
		const release = () => taken.forEach((quota) => quota.release(address));
		const exceeded = this.#quotas[full];
		if (exceeded) {
			release();
			throw new ProtocolError(
				'limit_reached',
				full === 0
					? `This sandbox has ${exceeded.maxPerAddress} event streams open. Close a page that shows its requests.`
					: exceeded.inUse(address) < exceeded.maxPerAddress
						? 'All event streams of this server are in use. Try again later.'
						: `Your address has ${exceeded.maxPerAddress} event streams open. Close one.`
			);
		}
		const toEvent = (exchange: LoggedExchange) => this.#eventOf(exchange);
		const stream = new SseStream(source, toEvent, () => {
			if (this.#open.delete(stream)) release();
		});
		this.#open.add(stream);
		return { [Symbol.asyncIterator]: () => stream };
	}

	/** One string for all streams, which hear of an exchange one after the other. Each would make a copy to send it. */
	#eventOf(exchange: LoggedExchange): string {
		const { id, seq } = exchange;
		if (id !== this.#newest.id) this.#newest = { id, event: `id: ${seq}\ndata: ${exchange.text()}\n\n` };
		return this.#newest.event;
	}
}

/** Not a generator: a generator that waits for its next event cannot be ended, so it would stay subscribed. */
class SseStream implements AsyncIterator<string> {
	readonly #source: StreamOptions;
	readonly #onEnd: () => void;
	#queue: string[] = [];
	#characters = 0;
	#isOver = false;
	#isHeartbeatDue = false;
	#wake = () => {};

	constructor(source: StreamOptions, toEvent: (exchange: LoggedExchange) => string, onEnd: () => void) {
		this.#source = source;
		this.enqueue(': the traffic of this sandbox\n\n');
		const unsubscribe = source.log.subscribe(
			(exchange) => this.enqueue(toEvent(exchange)),
			source.after,
			(event) => {
				this.enqueue(`event: ${event}\ndata: {}\n\n`);
				if (event === 'deleted' || event === 'revoked') this.end();
			}
		);
		this.#onEnd = () => {
			unsubscribe();
			onEnd();
		};
	}

	enqueue(text: string): void {
		if (this.#isOver) return;
		this.#queue.push(text);
		this.#characters += text.length;
		while (this.#queue.length > maxQueued || (this.#characters > maxCharacters && this.#queue.length > 1)) {
			this.#characters -= this.#queue.shift()?.length ?? 0;
		}
		this.#wake();
	}

	/** The reader gets the events that are queued. */
	end(): void {
		this.#isOver = true;
		this.#onEnd();
		this.#wake();
	}

	async next(): Promise<IteratorResult<string>> {
		while (this.#queue.length === 0 && !this.#isOver) {
			this.#heartbeat();
			await new Promise<void>((resolve) => (this.#wake = resolve));
		}
		const value = this.#queue.shift();
		this.#characters -= value?.length ?? 0;
		return value === undefined ? { done: true, value } : { done: false, value };
	}

	return(): Promise<IteratorResult<string>> {
		this.#queue = [];
		this.end();
		return Promise.resolve({ done: true, value: undefined });
	}

	/** Starts the wait for the next heartbeat, unless one is running. */
	#heartbeat(): void {
		if (this.#isHeartbeatDue) return;
		this.#isHeartbeatDue = true;
		void this.#source.sleep(heartbeatInterval).then(() => {
			this.#isHeartbeatDue = false;
			if (this.#queue.length === 0) this.enqueue(': still here\n\n');
		});
	}
}
