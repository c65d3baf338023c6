import type { ServiceClock } from '#hosts/page/page-service.ts';

type Sleeper = { readonly at: number; readonly wake: () => void };

/** The clock of a service that gets a stream of requests. It moves from one event of the stream to the next. */
export class StreamClock implements ServiceClock {
	#now: number;
	#sleepers: readonly Sleeper[] = [];
	#onSleep: (() => void) | undefined;

	/** @param start milliseconds since 1970 */
	constructor(start: number) {
		this.#now = start;
	}

	readonly now = (): number => this.#now;

	readonly delay = (milliseconds: number): Promise<void> =>
		new Promise((wake) => {
			this.#sleepers = [...this.#sleepers, { at: this.#now + milliseconds, wake }];
			this.#onSleep?.();
		});

	during<T>(request: () => Promise<T>): Promise<T> {
		return request();
	}

	/** When the next response that waits is sent. Undefined: none waits. */
	get nextWake(): number | undefined {
		return this.#sleepers.length === 0 ? undefined : Math.min(...this.#sleepers.map(({ at }) => at));
	}

	/** Moves the clock, and lets the responses go on that waited until then. */
	moveTo(at: number): void {
		this.#now = at;
		const due = this.#sleepers.filter((one) => one.at <= at);
		this.#sleepers = this.#sleepers.filter((one) => one.at > at);
		for (const { wake } of due) wake();
	}

	/** Resolves once a response waits. */
	whenAsleep(): Promise<void> {
		return new Promise((resolve) => (this.#onSleep = resolve));
	}
}
