import type { Component } from 'svelte';
import CircleCheck from 'icon:circle-check';
import CircleDashed from 'icon:circle-dashed';
import CircleX from 'icon:circle-x';

/** A point of a list beside a lab. */
export type Point = {
	readonly icon: Component<{ 'aria-hidden'?: 'true' }>;
	readonly text: string;
	readonly tone?: 'ok' | 'error' | undefined;
	/** For screen readers, in place of the icon. */
	readonly state?: string;
	/** Before the link. */
	readonly before?: string;
	readonly href?: string | undefined;
};

/** The icon and the tone of a point that is right or wrong. Undefined: that is open. */
export function pointOf(isRight: boolean | undefined): Pick<Point, 'icon' | 'tone' | 'state'> {
	if (isRight === undefined) return { icon: CircleDashed, state: 'Open:' };
	return isRight
		? { icon: CircleCheck, tone: 'ok', state: 'Right:' }
		: { icon: CircleX, tone: 'error', state: 'Wrong:' };
}
