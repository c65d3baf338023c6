/** The clock of an exam. */
export type Timers = {
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Resolves after this number of milliseconds, or at once when the signal aborts. */
	readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

/** The clock of the machine. */
export const realTimers: Timers = {
	now: () => Date.now(),
	sleep: (milliseconds, signal) =>
		new Promise((resolve) => {
			if (signal?.aborted === true) return resolve();
			const end = () => {
				clearTimeout(timer);
				signal?.removeEventListener('abort', end);
				resolve();
			};
			const timer = setTimeout(end, milliseconds);
			signal?.addEventListener('abort', end);
		})
};
