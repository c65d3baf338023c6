import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often the load is measured, in milliseconds. */
const interval = 10_000;
/** The share of the time that a server with little to do works at most. */
const idleShare = 0.1;

/** From this size on, in bytes, a heap grows less than V8 lets it. A small one may grow: collecting it often costs more than its memory. */
const largeHeap = 128 * 2 ** 20;
/** By how much a large heap grows, in percent of what is in use, before V8 collects all of it again. Its own choice is up to 300. */
const growth = 60;

/**
 * Keeps the memory of the server near what is in use. Under load V8 lets the heap grow, and when load has ended it would keep its
 * garbage until the next one, because it collects only while a program allocates.
 */
export function limitGarbage(): void {
	setFlagsFromString('--expose-gc');
	const onLoad = createLoadObserver(() => void runInNewContext('gc()'));
	let last = performance.eventLoopUtilization();
	setInterval(() => {
		// V8 reads the flag after each collection. 0 is its own choice.
		setFlagsFromString(`--heap-growing-percent=${getHeapStatistics().used_heap_size < largeHeap ? 0 : growth}`);
		const now = performance.eventLoopUtilization();
		onLoad(performance.eventLoopUtilization(now, last).utilization);
		last = now;
	}, interval).unref();
}

/**
 * Notices when load has ended.
 * @param onEnd called at the first two measurements with little load: V8 keeps some free pages until the second collection
 * @returns gets the measured shares of the time in which the process worked, 0 to 1
 */
export function createLoadObserver(onEnd: () => void): (share: number) => void {
	let calls = 0;
	return (share) => {
		if (share > idleShare) calls = 2;
		else if (calls > 0) {
			calls -= 1;
			onEnd();
		}
	};
}
