import { ControlError } from './control-api.ts';

/** How long `refreshSoon` waits for further calls, in milliseconds. */
const soon = 400;

/** When a page reads its data again. */
export type QueryOptions<T> = {
	/** Milliseconds between two reads while the page is visible. Without it, the data is only read once. */
	readonly interval?: number;
	/** Whether the data can change. Polling pauses while it cannot. */
	readonly canChange?: (data: T | undefined) => boolean;
};

/** Data of the service that a page shows. The newest read wins, and ends those before it. */
export class Query<T> {
	/** Undefined until it was read. A later failure keeps it. */
	data: T | undefined = $state.raw();
	/** Why the latest read failed. */
	error: ControlError | undefined = $state.raw();
	isLoading = $state(false);
	readonly #read: (signal: AbortSignal) => Promise<T>;
	readonly #options: QueryOptions<T>;
	#reading: AbortController | undefined;
	/** Settles with the newest read. */
	#latest = Promise.resolve();
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** @param read throws `ControlError`. Its signal is aborted when a newer read starts */
	constructor(read: (signal: AbortSignal) => Promise<T>, options: QueryOptions<T> = {}) {
		this.#read = read;
		this.#options = options;
	}

	/**
	 * Reads the data. A read in progress may be older than a change, so it is aborted.
	 * @returns settles when `data` or `error` is current. Rejects only for errors other than `ControlError`
	 */
	refresh(): Promise<void> {
		this.#reading?.abort();
		const reading = new AbortController();
		this.#reading = reading;
		this.isLoading = true;
		this.#latest = this.#run(reading);
		return this.#latest;
	}

	/** Reads the data soon, once for many calls. Waits for a read in progress, so that frequent calls cannot abort all of them. */
	refreshSoon(): void {
		this.#timer ??= setTimeout(() => {
			void this.#latest.then(() => {
				this.#timer = undefined;
				return this.refresh();
			});
		}, soon);
	}

	/**
	 * Reads the data, unless that is in progress, then polls.
	 * @returns stops
	 */
	follow(): () => void {
		if (!this.isLoading) void this.refresh();
		return this.poll();
	}

	/**
	 * Reads the data when the tab becomes visible, and at each interval while it is visible.
	 * @returns stops, and aborts a read in progress
	 */
	poll(): () => void {
		const { interval, canChange = () => true } = this.#options;
		if (interval === undefined) return () => this.#abort();
		const refresh = () => void (document.visibilityState === 'visible' && !this.isLoading && this.refresh());
		const timer = setInterval(() => canChange(this.data) && refresh(), interval);
		document.addEventListener('visibilitychange', refresh);
		return () => {
			clearInterval(timer);
			document.removeEventListener('visibilitychange', refresh);
			this.#abort();
		};
	}

	/** Forgets the data and the error, and aborts a read in progress. */
	clear(): void {
		this.#abort();
		this.data = this.error = undefined;
	}

	#abort(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#reading?.abort();
		this.#reading = undefined;
		this.#latest = Promise.resolve();
		this.isLoading = false;
	}

	async #run(reading: AbortController): Promise<void> {
		const isReplaced = () => reading !== this.#reading;
		try {
			const data = await this.#read(reading.signal);
			if (isReplaced()) return await this.#latest;
			[this.data, this.error] = [data, undefined];
		} catch (thrown) {
			if (isReplaced()) return await this.#latest;
			if (!(thrown instanceof ControlError)) throw thrown;
			this.error = thrown;
		} finally {
			if (!isReplaced()) {
				this.#reading = undefined;
				this.isLoading = false;
			}
		}
	}
}
