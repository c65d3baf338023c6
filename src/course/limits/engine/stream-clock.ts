import type { ServiceClock } from '#hosts/page/page-service.ts';

type Sleeper = { readonly at: number; readonly wake: () => void };

/** The clock of a service that gets a stream of requests. It moves from one event of the stream to the next. */
export class StreamClock implements ServiceClock {
	/** When the response of each request was ready, in the order of the requests. */
	readonly ends: (number | undefined)[] = [];
	#now: number;
	#sleepers: readonly Sleeper[] = [];
	/** Requests that are handled and do not sleep. */
	#active = 0;
	#onQuiet: (() => void) | undefined;

	/** @param start milliseconds since 1970 */
	constructor(start: number) {
		this.#now = start;
	}

	readonly now = (): number => this.#now;

	readonly delay = (milliseconds: number): Promise<void> =>
		new Promise((wake) => {
			this.#sleepers = [...this.#sleepers, { at: this.#now + milliseconds, wake }];
			this.#change(-1);
		});

	async during<T>(request: () => Promise<T>): Promise<T> {
		const at = this.ends.push(undefined) - 1;
		this.#change(1);
		try {
			return await request();
		} finally {
			this.ends[at] = this.#now;
			this.#change(-1);
		}
	}

	/** Moves the clock to a time, and stops at each response that waits until then. Resolves once all requests sleep or have a response. */
	async moveTo(at: number): Promise<void> {
		for (;;) {
			await this.#whenQuiet();
			const next = Math.min(...this.#sleepers.map((one) => one.at));
			if (next > at || next === Infinity) break;
			this.#now = next;
			const due = this.#sleepers.filter((one) => one.at === next);
			this.#sleepers = this.#sleepers.filter((one) => one.at !== next);
			this.#change(due.length);
			for (const { wake } of due) wake();
		}
		if (at !== Infinity) this.#now = at;
	}

	#change(by: number): void {
		this.#active += by;
		if (this.#active === 0) this.#onQuiet?.();
	}

	#whenQuiet(): Promise<void> {
		return this.#active === 0 ? Promise.resolve() : new Promise((resolve) => (this.#onQuiet = resolve));
	}
}
