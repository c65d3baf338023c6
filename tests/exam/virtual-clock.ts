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
	return () => {
		vi.useRealTimers();
		digest.mockRestore();
	};
}

function sha256(data: BufferSource): ArrayBuffer {
	const bytes =
		data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
	return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer;
}
