/**
 * Puts off tasks to the end of the event loop's round, and does those of one round together. Under load, many requests
 * arrive in one round: the processor then stays with the same code for all of them, instead of going from TLS to HTTP to
 * the service and back for each.
 * @returns takes a task; tasks are done in the order in which they came
 */
export function rounds(): (task: () => void) => void {
	let due: (() => void)[] = [];
	const doAll = () => {
		const tasks = due;
		due = [];
		for (const task of tasks) task();
	};
	return (task) => {
		if (due.length === 0) setImmediate(doAll);
		due.push(task);
	};
}
