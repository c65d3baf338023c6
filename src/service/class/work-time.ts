/** The longest time between two signs of work that counts as work, in milliseconds. */
export const longestPause = 5 * 60_000;

/** When a student worked: from the first to the last sign of work, without longer pauses. In order, real clock. */
export type Spans = readonly (readonly [from: number, to: number])[];

/** The spans of both. The order in which signs of work arrive does not matter. */
export function mergeSpans(some: Spans, others: Spans): Spans {
	const merged: [from: number, to: number][] = [];
	for (const [from, to] of [...some, ...others].sort(([one], [other]) => one - other)) {
		const last = merged.at(-1);
		if (last !== undefined && from - last[1] <= longestPause) last[1] = Math.max(last[1], to);
		else merged.push([from, to]);
	}
	return merged;
}

/** How long all spans are together, in milliseconds. */
export function timeOf(spans: Spans): number {
	return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}
