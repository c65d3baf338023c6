import {
	browserStreams,
	type Channel,
	type EventStream,
	type StreamEnvironment,
	type StreamMessage
} from './stream-environment.ts';

/** How often a page makes sure that its stream works, in milliseconds. */
export const checkInterval = 2_000;
/** How many questions of a visible page may get no response. Then it takes the place of the leader. */
const maxUnanswered = 2;
/** If two checks are further apart, in milliseconds, the device slept. Browsers check hidden pages once a minute. */
export const sleepThreshold = 120_000;
/** How many streams a browser keeps open. It has six connections to a service over HTTP/1.1, and requests need some. */
export const maxStreams = 4;

type StreamEvent = Extract<StreamMessage, { kind: 'event' }>;
type Listener = (event: MessageEvent<string>) => void;

/**
 * A stream of server-sent events that all pages of this browser share: a stream for each page would use the connections up. The page
 * that holds a Web Lock, the leader, keeps the connection, and sends each event to the others. When the leader is closed or crashes,
 * the browser gives the lock to the next page at once.
 *
 * It works like `EventSource`, with these differences:
 * - Listeners are added in the task that creates the stream.
 * - After `open` the page gets all events. It reads what was before at each `open`, which is repeated when events may have been
 *   missed, and every two seconds while other streams use the connections up.
 * - An event can arrive twice.
 * - The service checks the request of the leader. A page shows events only after its own request was successful.
 */
export class SharedStream implements EventStream {
	readyState = 0;
	readonly #name: string;
	readonly #url: string;
	readonly #environment: StreamEnvironment;
	readonly #listeners = new Map<string, Listener[]>();
	readonly #stops: readonly (() => void)[];
	#channel: Channel | undefined;
	/** Aborted when this page stops leading, or waiting for that. */
	#turn = new AbortController();
	#isLeader = false;
	/** Whether this page may keep a connection open. */
	#hasSlot = false;
	#source: EventStream | undefined;
	/** The number of the latest connection. */
	#connection = 0;
	#unanswered = 0;
	/** When this page connected and checked last, in milliseconds. */
	#connected = -Infinity;
	#checked: number;

	/** @param url of the stream, the same text in all pages */
	constructor(url: string, environment: StreamEnvironment = browserStreams()) {
		this.#name = `tollgate-stream ${url}`;
		this.#url = url;
		this.#environment = environment;
		this.#checked = environment.now();
		const onVisible = () => {
			this.#unanswered = 0;
			this.#check();
		};
		this.#stops = [
			environment.every(() => this.#check(), checkInterval),
			environment.followPage({ onVisible, onSuspend: () => this.#leave(), onResume: () => this.#join() })
		];
		this.#join();
	}

	addEventListener(type: string, listener: Listener): void {
		this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
	}

	close(): void {
		this.readyState = 2;
		this.#stops.forEach((stop) => stop());
		this.#leave();
	}

	#join(): void {
		if (this.#channel !== undefined || this.readyState === 2) return;
		this.readyState = this.#unanswered = this.#connection = 0;
		const channel = this.#environment.openChannel(this.#name);
		this.#channel = channel;
		channel.addEventListener('message', ({ data }) => {
			if (this.#channel !== channel) return;
			if (data.kind === 'event') this.#receive(data);
			else if (this.#isLeader && !this.#poll()) this.#send({});
		});
		this.#waitForTurn({ signal: this.#turn.signal });
		this.#ask();
	}

	#leave(): void {
		this.#endTurn();
		this.#channel?.close();
		this.#channel = undefined;
	}

	/** Leads as soon as this page gets the lock. */
	#waitForTurn(options: Pick<LockOptions, 'signal' | 'steal'>): void {
		const { signal } = this.#turn;
		const lead = async () => {
			if (signal.aborted) return;
			this.#isLeader = true;
			void this.#connect(signal);
			await untilAborted(signal);
		};
		this.#environment.requestLock(this.#name, options, lead).catch(() => {
			if (signal.aborted) return;
			// Another page took the lock. Or the browser has no locks for this page, for example because it blocks cookies.
			if (this.#isLeader) this.#follow();
			else void lead();
		});
	}

	#endTurn(): void {
		this.#turn.abort();
		this.#turn = new AbortController();
		this.#isLeader = this.#hasSlot = false;
		this.#source?.close();
		this.#source = undefined;
	}

	#follow(): void {
		this.#endTurn();
		this.#waitForTurn({ signal: this.#turn.signal });
	}

	/** Opens the connection of the leader, also in place of an earlier one. */
	async #connect(signal: AbortSignal): Promise<void> {
		this.#source?.close();
		this.#source = undefined;
		this.#connected = this.#environment.now();
		// Higher than the numbers that other pages chose, also those that this page has not heard of.
		this.#connection = Math.max(this.#connection + 1, this.#connected + Math.random());
		this.#send({ readyState: 0 });
		this.#hasSlot ||= await takeSlot(this.#environment, signal);
		if (signal.aborted) return;
		if (!this.#hasSlot) return this.#send({ readyState: 1, type: 'open' });
		const source = this.#environment.openSource(this.#url);
		this.#source = source;
		for (const type of new Set(['open', 'error', ...this.#listeners.keys()])) {
			source.addEventListener(type, (event) => {
				// `open` and `error` have no data.
				const data = 'data' in event ? event.data : '';
				if (this.#source === source) this.#send({ readyState: source.readyState, type, data });
			});
		}
	}

	/** A leader without a connection lets the pages read what is new, and tries again to connect. Returns whether it is one. */
	#poll(): boolean {
		if (this.#source !== undefined || this.readyState !== 1) return false;
		if (this.#environment.now() - this.#connected >= checkInterval / 2) void this.#connect(this.#turn.signal);
		return true;
	}

	/** Sends an event to all pages, and to this one. */
	#send(event: Partial<Omit<StreamEvent, 'kind'>>): void {
		const state = { connection: this.#connection, readyState: this.readyState };
		const message: StreamEvent = { kind: 'event', ...state, type: '', data: '', ...event };
		this.#channel?.postMessage(message);
		this.#receive(message);
	}

	#receive({ connection, readyState, type, data }: StreamEvent): void {
		// Late events of a connection that was replaced.
		if (connection < this.#connection) return;
		if (connection > this.#connection) {
			if (this.#isLeader) this.#follow();
			this.#connection = connection;
			this.readyState = 0;
		}
		this.#unanswered = 0;
		const isOpened = this.readyState !== 1 && readyState === 1;
		this.readyState = readyState;
		if (readyState === 2) this.close();
		if (isOpened) this.#emit('open', '');
		if (type !== '' && type !== 'open') this.#emit(type, data);
	}

	#emit(type: string, data: string): void {
		const event = new MessageEvent(type, { data });
		this.#listeners.get(type)?.forEach((listener) => listener(event));
	}

	#ask(): void {
		this.#unanswered++;
		this.#channel?.postMessage({ kind: 'question' });
	}

	#check(): void {
		const now = this.#environment.now();
		const hasSlept = now - this.#checked > sleepThreshold;
		this.#checked = now;
		if (this.#channel === undefined) return;
		if (this.#isLeader) {
			// The other end may be gone, which this end does not notice.
			if (hasSlept) void this.#connect(this.#turn.signal);
			else this.#poll();
		} else if (this.#environment.isVisible()) {
			if (this.#unanswered < maxUnanswered) return this.#ask();
			// Browsers suspend hidden pages, also leaders.
			this.#endTurn();
			this.#waitForTurn({ steal: true });
		}
	}
}

/** Resolves to whether this page may keep a connection open. It may until the signal is aborted. */
async function takeSlot({ requestLock }: StreamEnvironment, signal: AbortSignal): Promise<boolean> {
	for (let slot = 1; slot <= maxStreams; slot++) {
		const isFree = await new Promise<boolean>((resolve) => {
			const hold = async (lock: object | null) => {
				resolve(lock !== null);
				if (lock !== null) await untilAborted(signal);
			};
			requestLock(`tollgate-stream-slot ${slot}`, { ifAvailable: true }, hold).catch(() => resolve(true));
		});
		if (isFree) return true;
	}
	return false;
}

function untilAborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve(), { once: true });
	});
}
