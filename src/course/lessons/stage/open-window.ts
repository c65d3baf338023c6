import type { ControlApi } from '#client/control-api/control-api.ts';

/**
 * Moves the clock of the sandbox to a time, where it is not there yet.
 * @param until in milliseconds since 1970
 * @param send sends the request that opens the next window
 * @throws ControlError
 */
export async function openWindow(api: ControlApi, until: number, send?: () => Promise<unknown>): Promise<void> {
	const { now } = await api.request('GET /control/clock');
	const advance = Math.ceil((until - now) / 1000);
	if (advance > 0) await api.request('POST /control/clock', { body: { advance } });
	await send?.();
}
