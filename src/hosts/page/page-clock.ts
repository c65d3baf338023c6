/** Time in which a program may begin something else before the clock moves, in milliseconds. */
const quietTime = 4;

type Sleeper = { readonly at: number; readonly wake: () => void };

/** The clock of services in a page. It runs as the real one does, and moves ahead when all of the program sleeps. */
export class PageClock {
	readonly #realNow: () => number;
	#offset = 0;
	#sleepers: readonly Sleeper[] = [];
	#requests = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** @param realNow milliseconds since 1970 */
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
	sleep(milliseconds: number): Promise<void> {
		const at = this.now() + Math.max(0, milliseconds);
		return new Promise((wake) => {
			this.#sleepers = [...this.#sleepers, { at, wake }];
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
			this.#schedule();
		}
	}

	/** The sleep of the service in a delayed request, which is no reason for the clock to wait. */
	readonly delay = async (milliseconds: number): Promise<void> => {
		this.#requests--;
		await this.sleep(milliseconds);
		this.#requests++;
	};

	#schedule(): void {
		if (this.#timer !== undefined || this.#sleepers.length === 0) return;
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			if (this.#requests > 0) return;
			const first = Math.min(...this.#sleepers.map(({ at }) => at));
			this.#offset += Math.max(0, first - this.now());
			const due = this.#sleepers.filter(({ at }) => at <= this.now());
			this.#sleepers = this.#sleepers.filter((sleeper) => !due.includes(sleeper));
			for (const { wake } of due) wake();
			this.#schedule();
		}, quietTime);
	}
}
