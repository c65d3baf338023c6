// Plain JavaScript without packages, as start.js needs it.

/**
 * Sends this process SIGTERM when its parent has ended. For processes that npm started: npm ends at a signal and does not pass
 * it on, which would leave the server running.
 */
export function endWithParent() {
	const { ppid } = process;
	const timer = setInterval(() => {
		if (process.ppid === ppid) return;
		clearInterval(timer);
		process.kill(process.pid, 'SIGTERM');
	}, 500);
	timer.unref();
}
