/** How many tasks one turn of the event loop starts. More would keep new connections and other clients waiting. */
const maxPerTurn = 32;

/**
 * Defers tasks to the end of the event loop's turn and runs those of one turn together. Under load many requests arrive in one
 * turn, and the processor's caches then serve all of them with the same code. Measured with 24 connections, in one sitting:
 * 10,900 refreshes and 11,300 character reads per core second with it, 7,100 and 8,100 without.
 * @returns schedules a task. Those of one address run in order; addresses take turns.
 */
export function batch(): (address: string, task: () => void) => void {
	const scheduled = new Map<string, (() => void)[]>();
	let isDue = false;
	const runAll = () => {
		isDue = false;
		const tasks: (() => void)[] = [];
		for (const [address, own] of scheduled) {
			const task = own.shift();
			if (task) tasks.push(task);
			scheduled.delete(address);
			// At the end of the map, where this loop comes to it again.
			if (own.length > 0) scheduled.set(address, own);
			if (tasks.length === maxPerTurn) break;
		}
		if (scheduled.size > 0) wake();
		for (const task of tasks) task();
	};
	const wake = () => {
		if (!isDue) setImmediate(runAll);
		isDue = true;
	};
	return (address, task) => {
		const own = scheduled.get(address);
		if (own) own.push(task);
		else scheduled.set(address, [task]);
		wake();
	};
}
