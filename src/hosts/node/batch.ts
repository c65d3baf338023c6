/**
 * Defers tasks to the end of the event loop's turn and runs those of one turn together. Under load many requests arrive in one
 * turn, and the processor's caches then serve all of them with the same code. Measured with 24 connections, in one sitting:
 * 10,900 refreshes and 11,300 character reads per core second with it, 7,100 and 8,100 without.
 * @returns schedules a task; tasks run in the order in which they were scheduled
 */
export function batch(): (task: () => void) => void {
	let scheduled: (() => void)[] = [];
	const runAll = () => {
		const tasks = scheduled;
		scheduled = [];
		for (const task of tasks) task();
	};
	return (task) => {
		if (scheduled.length === 0) setImmediate(runAll);
		scheduled.push(task);
	};
}
