import type { Guide } from '#api/world/guide.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';

/** The guided demo of a sandbox: that of its world, or the one of the demo world. */
export async function readGuide(api: ControlApi, signal?: AbortSignal): Promise<Guide> {
	const { guide } = await api.request('GET /control/guide', signal && { signal });
	return guide ?? (await import('./demo-guide.ts')).demoGuide;
}
