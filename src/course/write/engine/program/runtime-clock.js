// Globals of a program that follow the clock of its exercise. Evaluated as a text, like `runtime.js`.
/** @typedef {(...parameters: unknown[]) => void} Act */

(function defineClock() {
	/**
	 * @param {(kind: string, value: unknown) => Promise<unknown>} ask sends a request to the page
	 * @param {() => number} ahead how far the clock of the exercise is ahead of the one of this machine, in milliseconds
	 */
	return function createClock(ask, ahead) {
		const { Date: RealDate, performance: realPerformance, setTimeout: later, clearTimeout: cancel } = globalThis;
		const now = () => RealDate.now() + ahead();
		const Date = new Proxy(RealDate, {
			construct: (target, parts, created) =>
				/** @type {object} */ (Reflect.construct(target, parts.length === 0 ? [now()] : parts, created)),
			apply: () => new RealDate(now()).toString(),
			get: (target, name) => (name === 'now' ? now : /** @type {unknown} */ (Reflect.get(target, name)))
		});
		const performance = { now: () => realPerformance.now() + ahead(), timeOrigin: realPerformance.timeOrigin };

		/** Above the numbers of real timers. */
		let last = 1_000_000_000;
		/** @type {Set<unknown>} */
		const running = new Set();

		/** @param {Act} act @param {number} [delay] in milliseconds @param {unknown[]} parameters */
		function setTimeout(act, delay = 0, ...parameters) {
			if (typeof act !== 'function' || !(delay > 0)) return later(act, delay, ...parameters);
			const timer = ++last;
			running.add(timer);
			const run = () => void (running.delete(timer) && later(act, 0, ...parameters));
			ask('timer', [timer, delay]).then(run, () => undefined);
			return timer;
		}

		/** @param {ReturnType<typeof later>} [timer] */
		function clearTimeout(timer) {
			if (!running.delete(timer)) return cancel(timer);
			ask('clear', timer).catch(() => undefined);
		}

		return { now, globals: { Date, performance, setTimeout, clearTimeout } };
	};
})();
