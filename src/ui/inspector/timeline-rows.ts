import type { FlowGroup, TimelineItem } from '#client/inspector/flow-groups.ts';
import type { SharedEvent } from '#client/storage/tab-events.ts';
import type { TrafficEntry } from '#wire/control/traffic.ts';

/** A line of the timeline. All have the same height. */
export type TimelineRow = { readonly key: string; readonly group: FlowGroup } & (
	| { readonly kind: 'group'; readonly isOpen: boolean }
	| { readonly kind: 'exchange'; readonly entry: TrafficEntry; readonly position: number }
	| { readonly kind: 'event'; readonly event: SharedEvent; readonly position: number }
);

/** The lines of the groups that are open. A group that did not change is the same object. */
const known = new WeakMap<FlowGroup, readonly TimelineRow[]>();

/**
 * The lines of the timeline: a heading for each group, and its items unless it is closed.
 * @param closed keys of groups
 */
export function timelineRows(groups: readonly FlowGroup[], closed: ReadonlySet<string>): TimelineRow[] {
	const rows: TimelineRow[] = [];
	for (const group of groups) {
		const isOpen = !closed.has(group.key);
		rows.push({ kind: 'group', key: group.key, group, isOpen });
		if (!isOpen) continue;
		const items = known.get(group) ?? group.items.map((item, index) => toRow(group, item, index + 1));
		known.set(group, items);
		for (const row of items) rows.push(row);
	}
	return rows;
}

function toRow(group: FlowGroup, item: TimelineItem, position: number): TimelineRow {
	if (item.kind === 'exchange') return { kind: item.kind, entry: item.entry, key: item.entry.id, group, position };
	return { kind: item.kind, event: item.event, key: `${item.event.source} ${item.event.seq}`, group, position };
}

/** The part of a list that is in view, with some lines around it so that fast scrolling shows no gap. */
export function visibleRange(scrollTop: number, height: number, rowHeight: number, count: number) {
	const around = 12;
	const first = Math.max(0, Math.floor(scrollTop / rowHeight) - around);
	return { first, end: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + around) };
}
