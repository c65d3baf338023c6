import { runLimiters } from '../engine/run-limiter.ts';
import type { StreamRequest } from './stream-worker.ts';

addEventListener('message', ({ data: { setup, options } }: MessageEvent<StreamRequest>) => {
	// The page gets a failure as an error of the worker.
	runLimiters(setup, options).then((runs) => postMessage(runs), reportError);
});
