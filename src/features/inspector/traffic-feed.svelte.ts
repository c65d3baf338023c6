import type { TrafficEntry } from '#api/control/traffic.ts';
import { trafficAfter, type ControlApi } from '#client/control-api/control-api.ts';
import { ControlError } from '#client/control-api/control-error.ts';
import { browserFeed, parseEntry, type FeedEnvironment, type TrafficStream } from './feed-environment.ts';
import type { Inspector } from './inspector.svelte.ts';

/** How many exchanges are kept. The oldest are dropped. */
export const maxEntries = 10_000;
/** Entries in a full page of `GET traffic`. */
const pageSize = 500;
/** Time until the next attempt after a failure, in milliseconds. */
const retryDelay = 3_000;
/** Reads the traffic log of a sandbox into an inspector, then follows it. */
export class TrafficFeed {
	/** `loading` until the log was read once, `live` while new exchanges arrive, `reconnecting` in between. */
	state: 'loading' | 'live' | 'reconnecting' = $state('loading');
	/** Why the log could not be read. */
	error: ControlError | undefined = $state.raw();
	isPaused = $state(false);
	/** How many exchanges wait while the feed is paused. */
	waiting = $state(0);
	readonly #api: ControlApi;
	readonly #inspector: Pick<Inspector, 'entries'>;
	readonly #environment: FeedEnvironment;
	/** Arrived and not shown yet. */
	#queue: TrafficEntry[] = [];
	#isFlushDue = false;
	/** The number of the last entry that arrived. */
	#last = 0;
	#stream: TrafficStream | undefined;
	readonly #onnotice: () => void;
	/** Counts connections. What belongs to an earlier one is ignored. */
	#connection = 0;

	/** @param onnotice called when the status may have changed: after a reset, or by the instructor of a class */
	constructor(
		api: ControlApi,
		inspector: Pick<Inspector, 'entries'>,
		environment: FeedEnvironment = browserFeed,
		onnotice: () => void = () => undefined
	) {
		this.#api = api;
		this.#inspector = inspector;
		this.#environment = environment;
		this.#onnotice = onnotice;
	}

	/** Starts to read. Returns a function that stops. */
	start(): () => void {
		void this.#connect();
		return () => this.#disconnect();
	}

	pause(): void {
		this.isPaused = true;
	}

	/** Shows what arrived during the pause, and new exchanges again. */
	resume(): void {
		this.isPaused = false;
		this.#flush();
	}

	/**
	 * Deletes the log of the sandbox.
	 * @throws ControlError
	 */
	async clear(): Promise<void> {
		await this.#api.request('DELETE /control/traffic');
		this.#empty();
	}

	#disconnect(): void {
		this.#connection++;
		this.#stream?.close();
		this.#stream = undefined;
	}

	/** Reads all pages after the last entry, then opens the stream. */
	async #connect(): Promise<void> {
		this.#disconnect();
		const connection = this.#connection;
		try {
			for (let isFull = true; isFull;) {
				const { entries } = await this.#api.request('GET /control/traffic', trafficAfter(this.#last));
				if (connection !== this.#connection) return;
				entries.forEach((entry) => this.#add(entry));
				isFull = entries.length === pageSize;
			}
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			if (connection === this.#connection) this.#retry(thrown);
			return;
		}
		this.error = undefined;
		this.state = 'live';
		this.#follow(connection);
	}

	#follow(connection: number): void {
		const { baseUrl } = this.#api;
		const stream = this.#environment.openStream(`${baseUrl}/control/traffic/stream?after=${this.#last}`);
		this.#stream = stream;
		const isCurrent = () => connection === this.#connection;
		stream.addEventListener('message', ({ data }) => {
			if (!isCurrent()) return;
			const entry = parseEntry(data);
			// A slow reader misses entries, and a service that started again counts from 1. The pages have what is missing.
			if (entry.seq === this.#last + 1) this.#add(entry);
			else if (entry.seq > this.#last) void this.#connect();
			else this.#reload();
		});
		stream.addEventListener('reset', () => {
			if (!isCurrent()) return;
			this.#reload();
			this.#onnotice();
		});
		stream.addEventListener('notice', () => isCurrent() && this.#onnotice());
		stream.addEventListener('open', () => isCurrent() && (this.state = 'live'));
		stream.addEventListener('error', () => {
			if (!isCurrent()) return;
			if (stream.readyState === 2) this.#retry();
			else this.state = 'reconnecting';
		});
	}

	#retry(error?: ControlError): void {
		this.#disconnect();
		this.error = error;
		if (this.state === 'live') this.state = 'reconnecting';
		const connection = this.#connection;
		this.#environment.wait(() => connection === this.#connection && void this.#connect(), retryDelay);
	}

	/** All records were replaced. */
	#reload(): void {
		this.#empty();
		this.#last = 0;
		void this.#connect();
	}

	#empty(): void {
		this.#queue = [];
		this.waiting = 0;
		this.#inspector.entries = [];
	}

	/** Many entries that arrive together change the page once. */
	#add(entry: TrafficEntry): void {
		this.#last = entry.seq;
		this.#queue.push(entry);
		if (this.#queue.length > 2 * maxEntries) this.#queue = this.#queue.slice(-maxEntries);
		if (this.#isFlushDue) return;
		this.#isFlushDue = true;
		this.#environment.nextFrame(() => {
			this.#isFlushDue = false;
			this.#flush();
		});
	}

	#flush(): void {
		this.waiting = this.isPaused ? Math.min(this.#queue.length, maxEntries) : 0;
		if (this.isPaused || this.#queue.length === 0) return;
		this.#inspector.entries = [...this.#inspector.entries, ...this.#queue].slice(-maxEntries);
		this.#queue = [];
	}
}
