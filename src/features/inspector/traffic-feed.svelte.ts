import type { TrafficEntry } from '#api/control/traffic.ts';
import { type ControlApi, ControlError, trafficAfter } from '#client/control-api/control-api.ts';
import type { EventStream } from '#client/control-api/stream-environment.ts';
import type { Inspector } from './inspector.svelte.ts';
import { SharedStream } from '#client/control-api/shared-stream.ts';

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
	#stream: EventStream | undefined;
	readonly #onnotice: () => void;
	/** Counts connections. An attempt that belongs to an earlier one is not made. */
	#connection = 0;
	/** The read in progress. What belongs to an earlier one is ignored. */
	#reading: object | undefined;
	/** Whether entries may have been missed since the read in progress began. */
	#isBehind = false;
	/** Arrived during the read in progress. */
	#arrived: TrafficEntry[] = [];

	/** @param onnotice called when the status may have changed: after a reset, by the instructor of a class, or at the end of the sandbox */
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
		this.#stream = this.#reading = undefined;
	}

	/** Reads what is there, which the service may reject, then follows the stream. */
	async #connect(): Promise<void> {
		this.#disconnect();
		const connection = this.#connection;
		const isRead = await this.#read();
		if (isRead && connection === this.#connection) this.#follow();
	}

	/** Connects where this page still controls the sandbox. A rejected read would be in the log of the one who does. */
	async #connectIfAllowed(): Promise<void> {
		this.#disconnect();
		const connection = this.#connection;
		const status = await this.#api.request('GET /control/status').catch(() => undefined);
		if (connection !== this.#connection) return;
		if (status?.can_control !== false) return this.#connect();
		const description = 'This browser no longer controls the sandbox. Enter its key to read its traffic log.';
		this.#retry(new ControlError('forbidden', description, 403));
	}

	#follow(): void {
		const stream = this.#environment.openStream(`${this.#api.baseUrl}/control/traffic/stream`);
		this.#stream = stream;
		const on = (type: string, run: (data: string) => void) =>
			stream.addEventListener(type, ({ data }) => {
				if (this.#stream === stream) run(data);
			});
		on('message', (data) => this.#receive(parseEntry(data)));
		on('reset', () => {
			this.#reload();
			this.#onnotice();
		});
		on('notice', () => this.#onnotice());
		// The service ends the stream.
		on('deleted', () => {
			this.#onnotice();
			void this.#connect();
		});
		on('revoked', () => {
			this.#onnotice();
			void this.#connectIfAllowed();
		});
		on('open', () => void this.#read());
		on('error', () => {
			if (stream.readyState === 2) this.#retry();
			else this.state = 'reconnecting';
		});
	}

	/**
	 * Reads all pages after the last entry, again if that was due meanwhile.
	 * @returns whether it was read: false after a failure, and where another read goes on
	 */
	async #read(): Promise<boolean> {
		this.#isBehind = true;
		if (this.#reading !== undefined) return false;
		const reading = (this.#reading = {});
		this.#arrived = [];
		try {
			while (this.#isBehind) {
				this.#isBehind = false;
				for (let isFull = true; isFull;) {
					const { entries } = await this.#api.request('GET /control/traffic', trafficAfter(this.#last));
					if (this.#reading !== reading) return false;
					entries.forEach((entry) => this.#add(entry));
					isFull = entries.length === pageSize;
				}
			}
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			if (this.#reading === reading) this.#retry(thrown);
			return false;
		}
		this.#reading = undefined;
		this.error = undefined;
		// Who waits for the log finds all of it.
		this.#flush();
		if (this.#stream?.readyState !== 0) this.state = 'live';
		this.#arrived.splice(0).forEach((entry) => this.#receive(entry));
		return true;
	}

	/**
	 * Takes an entry of the stream. A slow reader misses entries, which the pages have. A stream repeats entries after it was read. A
	 * service that started again counts from 1.
	 */
	#receive(entry: TrafficEntry): void {
		if (this.#reading !== undefined) this.#arrived = [...this.#arrived, entry].slice(-pageSize);
		else if (entry.seq === this.#last + 1) this.#add(entry);
		else if (entry.seq > this.#last) void this.#read();
		else if (!this.#has(entry)) this.#reload();
	}

	#has({ id, seq }: TrafficEntry): boolean {
		const isSame = (entry: TrafficEntry) => entry.seq === seq && entry.id === id;
		return this.#queue.some(isSame) || this.#inspector.entries.some(isSame);
	}

	/** A deleted sandbox never comes back. */
	#retry(error?: ControlError): void {
		this.#disconnect();
		this.error = error;
		if (this.state === 'live') this.state = 'reconnecting';
		if (error?.status === 404) return;
		const connection = this.#connection;
		const connect = () => (error?.status === 403 ? this.#connectIfAllowed() : this.#connect());
		this.#environment.wait(() => connection === this.#connection && void connect(), retryDelay);
	}

	/** All records were replaced. */
	#reload(): void {
		this.#empty();
		this.#last = 0;
		this.#reading = undefined;
		void this.#read();
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

/** The shortest time between two updates of the views, in milliseconds. A list that changes more often cannot be read. */
const updateInterval = 250;

/** What the feed needs of its browser. Tests pass their own. */
export type FeedEnvironment = {
	readonly openStream: (url: string) => EventStream;
	/** Calls a function before a paint, at most a few times a second. */
	readonly nextFrame: (run: () => void) => void;
	/** Calls a function after this number of milliseconds. */
	readonly wait: (run: () => void, milliseconds: number) => void;
};

let latestUpdate = -Infinity;

export const browserFeed: FeedEnvironment = {
	openStream: (url) => new SharedStream(url),
	nextFrame: (run) => {
		const delay = latestUpdate + updateInterval - performance.now();
		latestUpdate = performance.now() + Math.max(0, delay);
		setTimeout(() => requestAnimationFrame(run), delay);
	},
	wait: (run, milliseconds) => void setTimeout(run, milliseconds)
};

/** The service of this origin is our own, and its tests check every entry against this type. */
function parseEntry(data: string): TrafficEntry;
function parseEntry(data: string): unknown {
	const entry: unknown = JSON.parse(data);
	return entry;
}
