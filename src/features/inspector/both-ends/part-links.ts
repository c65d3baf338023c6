import type { BothEnds } from './check-groups.ts';

/** A line from a part of the request to checks that read it. */
export type Link = { readonly part: string; readonly group: string; readonly isFailed: boolean };

type Point = { readonly x: number; readonly y: number };
export type LinkPlace = { readonly from: Point; readonly to: Point };

/** The line of each part and group, in the order of the groups. */
export function linksOf({ groups }: BothEnds): Link[] {
	return groups.flatMap(({ key, parts, isFailed }) => parts.map(({ id }) => ({ part: id, group: key, isFailed })));
}

/**
 * Where a line begins and ends, in pixels of the picture of the lines.
 * @param box which contains the parts, the checks and the picture
 * @returns undefined where one of them is not shown
 */
export function placesOf({ part, group }: Link, box: HTMLElement): LinkPlace | undefined {
	const picture = box.querySelector('svg.links')?.getBoundingClientRect();
	const start = box.querySelector(`[data-part="${CSS.escape(part)}"]`)?.getBoundingClientRect();
	const end = box.querySelector(`[data-group="${CSS.escape(group)}"]`);
	// The comparison of a failed check is below its line.
	const rows = end?.querySelector('ol')?.getBoundingClientRect();
	if (picture === undefined || start === undefined || end === null || rows === undefined || picture.width === 0)
		return undefined;
	return {
		from: { x: start.right - picture.left, y: start.top + start.height / 2 - picture.top },
		to: { x: end.getBoundingClientRect().left - picture.left, y: rows.top + rows.height / 2 - picture.top }
	};
}

/** A line as the path of SVG: it leaves and arrives level. */
export function curve({ from, to }: LinkPlace): string {
	const middle = (from.x + to.x) / 2;
	return `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}
