import { prefersReducedMotion } from 'svelte/motion';

/** How many seconds of the sandbox pass in one. */
export type Pace = 1 | 60;

/** The time of a view: what has happened until `now`. All times are in milliseconds after the beginning of the stream, by the clock of its sandboxes. */
export class Playback {
	now = $state(0);
	pace: Pace = $state(60);
	isRunning = $state(false);
	/** Where it stops. */
	end = $state(0);
	/** When requests arrive, and when limits are reset, in order. The open view sets them. */
	requests: readonly number[] = $state.raw([]);
	resets: readonly number[] = $state.raw([]);
	#frame = 0;
	#before = 0;

	/** Runs from now on, at the end from the beginning. */
	run(): void {
		if (this.isRunning) return;
		if (this.now >= this.end) this.now = 0;
		this.isRunning = true;
		this.#before = performance.now();
		this.#frame = requestAnimationFrame(this.#step);
	}

	stop(): void {
		this.isRunning = false;
		cancelAnimationFrame(this.#frame);
	}

	toggle(): void {
		if (this.isRunning) this.stop();
		else this.run();
	}

	/** Shows another time. A running clock goes on from there. */
	jump(to: number): void {
		this.now = Math.min(Math.max(0, to), this.end);
	}

	/** Stops at the next request. */
	nextRequest(): void {
		this.#stopAt(this.requests);
	}

	/** Stops at the next reset. */
	nextReset(): void {
		this.#stopAt(this.resets);
	}

	#stopAt(times: readonly number[]): void {
		this.stop();
		this.jump(times.find((at) => at > this.now) ?? this.end);
	}

	readonly #step = (at: number): void => {
		if (!this.isRunning) return;
		const passed = at - this.#before;
		// The picture changes once a second for those who want no motion.
		if (!prefersReducedMotion.current || passed >= 1000) {
			this.#before = at;
			this.jump(this.now + Math.max(0, passed) * this.pace);
		}
		if (this.now >= this.end) this.stop();
		else this.#frame = requestAnimationFrame(this.#step);
	};
}
