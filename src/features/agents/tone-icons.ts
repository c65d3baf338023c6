import type { Component } from 'svelte';
import CircleCheck from 'icon:circle-check';
import CircleDashed from 'icon:circle-dashed';
import CircleX from 'icon:circle-x';
import TriangleAlert from 'icon:triangle-alert';
import type { Tone } from '#evidence/agents/agent-runs.ts';

type Icon = Component<{ 'aria-hidden'?: 'true' }>;

/** The icon of a tone. */
export const tryIcons: Readonly<Record<Tone, Icon>> = {
	ok: CircleCheck,
	caution: TriangleAlert,
	error: CircleX,
	skipped: CircleDashed,
	waiting: CircleDashed
};

/** The tone of a badge. Neutral for what has not happened. */
export function badgeTone(tone: Tone): 'ok' | 'caution' | 'error' | undefined {
	return tone === 'skipped' || tone === 'waiting' ? undefined : tone;
}
