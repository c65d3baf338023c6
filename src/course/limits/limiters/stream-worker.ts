import type { LimiterRun, LimitersSetup } from '../engine/limiters-setup.ts';
import type { RunOptions } from '../engine/run-limiter.ts';

export type StreamRequest = { readonly setup: LimitersSetup; readonly options: RunOptions };

/**
 * Runs the limiters of a setup in a worker: four services and their requests would block the page for seconds on a phone.
 * @param done called once, unless the run is ended before; undefined if the worker could not be loaded or failed
 * @returns ends the run
 */
export function runInWorker(
	request: StreamRequest,
	done: (runs: readonly LimiterRun[] | undefined) => void
): () => void {
	const worker = new Worker(new URL('./on-demand.worker.ts', import.meta.url), { type: 'module' });
	const end = (runs: readonly LimiterRun[] | undefined) => {
		worker.terminate();
		done(runs);
	};
	worker.addEventListener('message', ({ data }: MessageEvent<readonly LimiterRun[]>) => end(data));
	worker.addEventListener('error', (event) => {
		event.preventDefault();
		end(undefined);
	});
	worker.postMessage(request);
	return () => worker.terminate();
}
