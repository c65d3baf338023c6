/** Time in which a program may begin something else before the clock moves, in milliseconds. */
const quietTime = 4;

/** @property patience how long all must be quiet before the clock moves to it, in milliseconds */
type Sleeper = { readonly at: number; readonly patience: number; readonly wake: () => void };

/** How a sleep may end, and when the clock moves ahead for it. */
export type SleepOptions = {
	/** Wakes it. */
	readonly signal?: AbortSignal | undefined;
	/** How long all must be quiet before the clock moves there, in milliseconds: for time limits, which must not end what is slow. */
	readonly patience?: number;
};

/** The clock of services in a page. It runs as the real one does, and moves ahead when all of the program sleeps. */
export class PageClock {
	readonly #realNow: () => number;
	#offset = 0;
	#sleepers: readonly Sleeper[] = [];
	#requests = 0;
	#quietSince = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** @param realNow milliseconds since 1970. A constant makes runs alike on each machine */
	constructor(realNow: () => number = Date.now) {
		this.#realNow = realNow;
	}

	/** Milliseconds since 1970. */
	readonly now = (): number => this.#realNow() + this.#offset;

	/** Moves the clock. @param milliseconds more than zero */
	advance(milliseconds: number): void {
		this.#offset += milliseconds;
		this.#schedule();
	}

	/** Resolves once the clock shows this many milliseconds more. It moves there as soon as no request runs. */
	sleep(milliseconds: number, { signal, patience = quietTime }: SleepOptions = {}): Promise<void> {
		if (signal?.aborted === true) return Promise.resolve();
		return new Promise((resolve) => {
			const wake = () => {
				this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
				signal?.removeEventListener('abort', wake);
				resolve();
			};
			const sleeper = { at: this.now() + Math.max(0, milliseconds), patience, wake };
			signal?.addEventListener('abort', wake);
			this.#sleepers = [...this.#sleepers, sleeper];
			this.#schedule();
		});
	}

	/** Runs a request. The clock does not move ahead meanwhile. */
	async during<T>(request: () => Promise<T>): Promise<T> {
		this.#requests++;
		try {
			return await request();
		} finally {
			this.#requests--;
			this.#quietSince = performance.now();
			this.#schedule();
		}
	}

	/** The sleep of the service in a delayed request, which is no reason for the clock to wait. Outside of one, nothing waits for it. */
	readonly delay = async (milliseconds: number): Promise<void> => {
		if (this.#requests === 0) return this.sleep(milliseconds, { patience: Infinity });
		this.#requests--;
		await this.sleep(milliseconds);
		this.#requests++;
	};

	#schedule(): void {
		if (this.#timer !== undefined || this.#sleepers.length === 0) return;
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			if (this.#requests > 0 || this.#sleepers.length === 0) return;
			const { at: first, patience } = this.#sleepers.reduce((one, other) => (other.at < one.at ? other : one));
			if (patience <= quietTime || performance.now() - this.#quietSince >= patience)
				this.#offset += Math.max(0, first - this.now());
			for (const { at, wake } of this.#sleepers) if (at <= this.now()) wake();
			this.#schedule();
		}, quietTime);
	}
}
