import type { BoardRow } from '#api/control/board.ts';

/** The row of a seat that works without problems. */
export function rowOf(part: Partial<BoardRow> & { seat: number }): BoardRow {
	return {
		label: `Seat ${part.seat}`,
		base_url: `https://tollgate.test/~${part.seat}`,
		joined: 0,
		presence: 'active',
		lesson: 'whole-trip',
		step: 1,
		done: 0,
		is_done: false,
		shown: 1,
		of: 4,
		shown_steps: ['0'],
		minutes: 1,
		idle: 0,
		median: 2,
		client: 'viewer',
		last: null,
		signal: null,
		budget: null,
		blacklisted: false,
		card: null,
		hand: null,
		prediction: null,
		revealed: false,
		program: null,
		group: null,
		note: '',
		helped: null,
		offset: 0,
		...part
	};
}

/** A signal of a row. */
export function signalOf(id: string): NonNullable<BoardRow['signal']> {
	return { id, since: 0, count: 1, requests: ['h_1'], text: `Text of ${id}.` };
}
