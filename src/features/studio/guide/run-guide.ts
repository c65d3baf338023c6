import type { Guide } from '#api/world/guide.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { guideKey } from '../../shell/show-guide.ts';

/** The guided demo of a sandbox: that of its world, or the one of the demo world. */
export async function readGuide(api: ControlApi, signal?: AbortSignal): Promise<Guide> {
	const { guide } = await api.request('GET /control/guide', signal && { signal });
	return guide ?? (await import('./demo-guide.ts')).demoGuide;
}

/**
 * Starts a guided demo in this tab. The panel appears on the next page that is loaded.
 * @param home prefix of every link of the sandbox
 * @returns the URL of the page of the first step
 */
export function startGuide({ title, steps }: Guide, home: string): string {
	const run = { home, id: crypto.randomUUID(), at: 0, title, steps: steps.map(({ notes: _, ...step }) => step) };
	sessionStorage.setItem(guideKey, JSON.stringify(run));
	return home + (steps[0]?.path ?? '/');
}

/** About how long a demo takes, in minutes: reading it aloud with its notes, and half a minute for each step. */
export function minutesOf({ steps }: Guide): number {
	const words = steps.flatMap(({ title, text }) => `${title} ${text}`.split(/\s+/)).length;
	return Math.max(1, Math.round(words / 130 + steps.length / 6));
}
