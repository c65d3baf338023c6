import { ClientError } from '../oauth/client-error.ts';

/**
 * Waits.
 * @param milliseconds to wait
 * @param signal ends the wait
 * @throws {ClientError} `aborted`
 * @example
 * await sleep(1000, AbortSignal.timeout(5000));
 */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const abort = () => {
			clearTimeout(timer);
			reject(new ClientError('aborted'));
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener('abort', abort);
			resolve();
		}, milliseconds);
		if (signal?.aborted === true) abort();
		else signal?.addEventListener('abort', abort, { once: true });
	});
}
