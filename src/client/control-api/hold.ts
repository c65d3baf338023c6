import type { Pause, PausePoint } from '#api/control/pause.ts';
import type { ControlApi } from './control-api.ts';

/**
 * Holds the messages of a sandbox at these points, in place of the points before. None: all messages continue.
 * @returns the messages that wait
 * @throws ControlError
 */
export function hold(api: ControlApi, points: readonly PausePoint[]): Promise<Pause> {
	return api.request('PUT /control/pause', { body: { points: [...points] } });
}
