import type { FlowGroup, TimelineItem } from '../flow-groups.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';

/** A line of the timeline. All have the same height. */
export type TimelineRow = { readonly key: string; readonly index: number; readonly group: FlowGroup } & (
	| { readonly kind: 'group'; readonly isOpen: boolean }
	| { readonly kind: 'exchange'; readonly entry: TrafficEntry; readonly position: number }
	| (Extract<TimelineItem, { kind: 'event' }> & { readonly position: number })
);

/** The lines of the timeline: a heading for each group, and its items unless it is closed. Only those in view are created. */
export class TimelineRows {
	readonly length: number;
	readonly #groups: readonly FlowGroup[];
	readonly #closed: ReadonlySet<string>;
	/** The line of each heading. */
	readonly #starts: number[] = [];

	/** @param closed keys of groups */
	constructor(groups: readonly FlowGroup[], closed: ReadonlySet<string>) {
		this.#groups = groups;
		this.#closed = closed;
		let length = 0;
		for (const { key, items } of groups) {
			this.#starts.push(length);
			length += 1 + (closed.has(key) ? 0 : items.length);
		}
		this.length = length;
	}

	/** The lines from `first` to before `end`. */
	slice(first: number, end: number): TimelineRow[] {
		const rows: TimelineRow[] = [];
		let at = this.#groupAt(first);
		for (let index = Math.max(0, first); index < Math.min(end, this.length); index++) {
			if (this.#starts[at + 1] === index) at++;
			const group = this.#groups[at];
			const position = index - (this.#starts[at] ?? 0);
			const item = group?.items[position - 1];
			if (group === undefined) break;
			if (item !== undefined) rows.push(toRow(group, item, position, index));
			else rows.push({ kind: 'group', key: group.key, group, index, isOpen: !this.#closed.has(group.key) });
		}
		return rows;
	}

	at(index: number): TimelineRow | undefined {
		return this.slice(index, index + 1)[0];
	}

	/** The line with this key, or -1. Newest first: lines in use are near the end. */
	indexOf(key: string): number {
		for (let at = this.#groups.length - 1; at >= 0; at--) {
			const group = this.#groups[at];
			const start = this.#starts[at] ?? 0;
			if (group?.key === key) return start;
			if (group === undefined || this.#closed.has(group.key)) continue;
			const position = group.items.findLastIndex((item) => keyOf(item) === key);
			if (position >= 0) return start + 1 + position;
		}
		return -1;
	}

	/** The last group that starts at this line or before. */
	#groupAt(index: number): number {
		let [low, high] = [0, this.#starts.length - 1];
		while (low < high) {
			const middle = Math.ceil((low + high) / 2);
			if ((this.#starts[middle] ?? 0) <= index) low = middle;
			else high = middle - 1;
		}
		return low;
	}
}

function keyOf(item: TimelineItem): string {
	return item.kind === 'exchange' ? item.entry.id : `${item.event.source} ${item.event.seq}`;
}

function toRow(group: FlowGroup, item: TimelineItem, position: number, index: number): TimelineRow {
	const place = { key: keyOf(item), group, position, index };
	return item.kind === 'exchange' ? { kind: item.kind, entry: item.entry, ...place } : { ...item, ...place };
}

/** How many lines above and below the view are in the document, so that fast scrolling shows no gap. */
const around = 8;

/** The part of a list that is in view, with some lines around it. */
export function visibleRange(scrollTop: number, height: number, rowHeight: number, count: number) {
	const first = Math.max(0, Math.floor(scrollTop / rowHeight) - around);
	return { first, end: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + around) };
}

/** How many lines of a list can be in the document at once. */
export function mostVisible(height: number, rowHeight: number): number {
	return Math.ceil(height / rowHeight) + 2 * around + 1;
}
