/**
 * Runs actions with the same name one after the other. In a browser pass
 * `(name, action) => navigator.locks.request(name, action)`, which also works across tabs.
 */
export type Lock = <T>(name: string, action: () => Promise<T>) => Promise<T>;

/**
 * A lock for one page or process.
 * @example
 * const lock = createMemoryLock();
 * await lock('refresh', async () => send()); // waits for earlier actions named 'refresh'
 */
export function createMemoryLock(): Lock {
	const queues = new Map<string, Promise<unknown>>();
	return async (name, action) => {
		const previous = queues.get(name) ?? Promise.resolve();
		const current = previous.then(action, action);
		queues.set(name, current);
		try {
			return await current;
		} finally {
			if (queues.get(name) === current) queues.delete(name);
		}
	};
}
