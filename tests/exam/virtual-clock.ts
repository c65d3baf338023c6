import { createHash } from 'node:crypto';
import { vi } from 'vitest';

/**
 * Replaces the clock and the timers by some that do not wait: whenever all code has run, the clock moves to the next timer.
 * @returns what gives the real ones back
 */
export function startVirtualClock(): () => void {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
	vi.setTimerTickMode('nextTimerAsync');
	// Work of other threads would take much time by this clock.
	const digest = vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (_algorithm, data) => sha256(data));
	const releaseKeys = stopClockDuringKeyWork();
	return () => {
		releaseKeys();
		vi.useRealTimers();
		digest.mockRestore();
	};
}

/** Stops the clock while another thread works with a key, for ID tokens. */
function stopClockDuringKeyWork(): () => void {
	const names = ['generateKey', 'importKey', 'exportKey', 'sign', 'verify'] as const;
	let running = 0;
	for (const name of names) {
		const work = crypto.subtle[name];
		const value = async (...parameters: unknown[]): Promise<unknown> => {
			if (running++ === 0) vi.setTimerTickMode('manual');
			try {
				const result: unknown = await Reflect.apply(work, crypto.subtle, parameters);
				return result;
			} finally {
				if (--running === 0) vi.setTimerTickMode('nextTimerAsync');
			}
		};
		Object.defineProperty(crypto.subtle, name, { configurable: true, value });
	}
	return () => {
		for (const name of names) Reflect.deleteProperty(crypto.subtle, name);
	};
}

function sha256(data: BufferSource): ArrayBuffer {
	const bytes =
		data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer;
}
