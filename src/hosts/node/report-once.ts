/** How often the same fault is reported, in milliseconds. */
const interval = 10_000;

/** Returns a function that passes a fault on, unless it did that with a fault of the same message within the last 10 seconds. */
export function reportOnce(
	report: (fault: unknown) => void,
	now: () => number = () => performance.now()
): (fault: Error) => void {
	let last = { message: '', at: -Infinity };
	return (fault) => {
		const { message } = fault;
		if (message === last.message && now() - last.at < interval) return;
		last = { message, at: now() };
		report(fault);
	};
}
