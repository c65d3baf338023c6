import type { Component } from 'svelte';
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import Info from '@lucide/svelte/icons/info';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';

/** The four meanings. Each has a colour, a glyph and a word: never a colour alone. */
export type Tone = 'ok' | 'caution' | 'error' | 'info';

/** The glyph of each meaning. */
export const toneIcons: Record<Tone, Component<{ 'aria-hidden'?: 'true' }>> = {
	ok: CircleCheck,
	caution: TriangleAlert,
	error: CircleAlert,
	info: Info
};

/** The word of each meaning, for those who see neither colour nor glyph. */
export const toneLabels: Record<Tone, string> = { ok: 'Done', caution: 'Careful', error: 'Problem', info: 'Note' };

/**
 * What an HTTP status means.
 * @param status the status code; null where no response came at all
 */
export function toneOfStatus(status: number | null): Tone {
	if (status === null || status >= 400) return 'error';
	return status >= 300 || status < 200 ? 'info' : 'ok';
}
