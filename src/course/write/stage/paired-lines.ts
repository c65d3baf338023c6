import { changedLines } from '#ui/display/code-change.ts';

/** A row of two versions beside each other. Numbers are from 1. */
export type PairedLine = {
	readonly isSame: boolean;
	/** Absent where the other version has more lines. */
	readonly before?: { readonly number: number; readonly text: string };
	readonly after?: { readonly number: number; readonly text: string };
};

/** Two versions beside each other: lines that both have are in one row, and what differs between them begins in one row. */
export function pairedLines(before: string, after: string): PairedLine[] {
	const rows: PairedLine[] = [];
	const waiting: { [Kind in 'removed' | 'added']: NonNullable<PairedLine['before']>[] } = { removed: [], added: [] };
	let [oldNumber, number] = [0, 0];
	const flush = () => {
		for (let at = 0; at < Math.max(waiting.removed.length, waiting.added.length); at++) {
			const [old, now] = [waiting.removed[at], waiting.added[at]];
			rows.push({ isSame: false, ...(old && { before: old }), ...(now && { after: now }) });
		}
		waiting.removed = [];
		waiting.added = [];
	};
	for (const { kind, text } of changedLines(before, after)) {
		if (kind === 'removed') waiting.removed.push({ number: ++oldNumber, text });
		else if (kind === 'added') waiting.added.push({ number: ++number, text });
		else {
			flush();
			rows.push({ isSame: true, before: { number: ++oldNumber, text }, after: { number: ++number, text } });
		}
	}
	flush();
	return rows;
}
