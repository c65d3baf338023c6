import type { Component } from 'svelte';
import CircleAlert from 'icon:circle-alert';
import CircleCheck from 'icon:circle-check';
import Info from 'icon:info';
import TriangleAlert from 'icon:triangle-alert';

/** The four kinds of status. Each has a color, an icon and a label, because color alone is not accessible. */
export type Tone = 'ok' | 'caution' | 'error' | 'info';

export const toneIcons: Record<Tone, Component<{ 'aria-hidden'?: 'true' }>> = {
	ok: CircleCheck,
	caution: TriangleAlert,
	error: CircleAlert,
	info: Info
};

/** Label of each tone for screen readers. */
export const toneLabels: Record<Tone, string> = { ok: 'Done', caution: 'Warning', error: 'Error', info: 'Note' };

/**
 * Tone of an HTTP status.
 * @param status status code, or null without a response
 */
export function toneOfStatus(status: number | null): Tone {
	if (status === null || status >= 400) return 'error';
	return status >= 300 || status < 200 ? 'info' : 'ok';
}
