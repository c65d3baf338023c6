import { mostVisible, visibleRange, type TimelineRows } from './timeline-rows.ts';

/**
 * Which lines of the timeline are in view. New lines keep the list at its end, or keep the lines in view where they are. Positions
 * are computed from the number of lines: to read them from the document would cost a second layout of every update.
 */
export class TimelineScroll {
	/** Pixels. */
	height = $state(0);
	rowHeight = $state(0);
	top = $state(0);
	readonly #rows: () => TimelineRows;
	readonly #range = $derived.by(() => visibleRange(this.top, this.height, this.rowHeight || 1, this.#rows().length));
	readonly first: number = $derived(this.#range.first);
	readonly end: number = $derived(this.#range.end);
	/** How many lines the document has at most. A line that leaves the view becomes the one that enters it. */
	readonly slots: number = $derived(mostVisible(this.height, this.rowHeight || 1));
	/** Whether the list stays at its end. It does not after the user has scrolled away from it. */
	#isAtEnd = true;
	/** Where `follow` has scrolled to. */
	#own = 0;
	/** The line at the top of the view, and how much of it is above. */
	#anchor: { readonly key: string; readonly offset: number } | undefined;

	constructor(rows: () => TimelineRows) {
		this.#rows = rows;
	}

	/** The list was scrolled, by the user or to `top`. */
	scrolled(top: number): void {
		if (this.#last() - top < this.rowHeight) this.#isAtEnd = true;
		// The event of `follow` arrives late, when there can be more lines.
		else if (Math.abs(top - this.#own) > 1) this.#isAtEnd = false;
		this.top = top;
		const index = Math.floor(top / (this.rowHeight || 1));
		const row = this.#rows().at(index);
		this.#anchor = row && { key: row.key, offset: top - index * this.rowHeight };
	}

	/**
	 * The number of lines has changed.
	 * @param isPressed whether the user presses a line: one that moves receives no click
	 */
	follow(isPressed: boolean): void {
		if (this.rowHeight === 0 || this.height === 0) return;
		if (this.#isAtEnd && !isPressed) this.top = this.#last();
		else if (this.#anchor !== undefined) {
			const index = this.#rows().indexOf(this.#anchor.key);
			if (index >= 0) this.top = index * this.rowHeight + this.#anchor.offset;
		}
		this.#own = this.top;
	}

	/** Where the list has to scroll to for a line to be in view. Undefined: it is. */
	topFor(index: number): number | undefined {
		const start = index * this.rowHeight;
		if (index < 0) return undefined;
		if (start < this.top) return Math.max(0, start - this.rowHeight);
		return start + this.rowHeight > this.top + this.height ? start + 2 * this.rowHeight - this.height : undefined;
	}

	#last(): number {
		return Math.max(0, this.#rows().length * this.rowHeight - this.height);
	}
}
