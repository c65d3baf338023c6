import type { BoardRow } from '#api/control/board.ts';
import { signalOf } from '#evidence/signals/find-signal.ts';

/** The states of a seat, in the order of the board: those who need help first. */
export const seatStates = ['hand', 'stuck', 'slow', 'working', 'done', 'away'] as const;
export type SeatState = (typeof seatStates)[number];

/** The four counts above the board, and on the wall. */
export const countedStates = ['done', 'working', 'stuck', 'away'] as const;
export type CountedState = (typeof countedStates)[number];

/** Signals that get worse without help. */
const urgent = ['blacklisted', 'loop'];

/** How slow a seat is against the median of the class: from 2 times `slow`, from 3 times `very slow`. */
export function paceOf({ minutes, median }: BoardRow): 'usual' | 'slow' | 'very slow' {
	if (median === null) return 'usual';
	// A step that half of the class ends within a minute is slow after two minutes.
	const usual = Math.max(1, median);
	return minutes >= 3 * usual ? 'very slow' : minutes >= 2 * usual ? 'slow' : 'usual';
}

/** The state of a seat. A raised hand is first, whatever the student does. */
export function stateOf(row: BoardRow): SeatState {
	if (row.hand !== null) return 'hand';
	if (row.presence === 'away' && row.signal?.id !== 'blacklisted' && row.signal?.id !== 'loop')
		return row.is_done ? 'done' : 'away';
	if (row.signal !== null && row.signal.id !== 'away') return 'stuck';
	if (row.is_done) return 'done';
	return paceOf(row) === 'usual' ? 'working' : 'slow';
}

/** The seats in the order of the board. Within a state: what gets worse, then those who wait longest. */
export function orderRows(rows: readonly BoardRow[]): BoardRow[] {
	return rows
		.map((row) => ({ row, rank: rankOf(row) }))
		.sort((one, other) => {
			const at = one.rank.findIndex((value, index) => value !== other.rank[index]);
			return at < 0 ? 0 : (one.rank[at] ?? 0) - (other.rank[at] ?? 0);
		})
		.map(({ row }) => row);
}

function rankOf(row: BoardRow): readonly number[] {
	const isUrgent = row.signal !== null && urgent.includes(row.signal.id);
	const pace = paceOf(row) === 'very slow' ? 0 : 1;
	return [seatStates.indexOf(stateOf(row)), row.hand?.since ?? 0, isUrgent ? 0 : 1, pace, -row.minutes, row.seat];
}

/** How many seats are in each of the four counts. A raised hand counts as stuck, a slow seat as working. */
export function countRows(rows: readonly BoardRow[]): Record<CountedState, number> {
	const counts = { done: 0, working: 0, stuck: 0, away: 0 };
	for (const row of rows) counts[countedAs(stateOf(row))]++;
	return counts;
}

/** The count that a state belongs to. */
export function countedAs(state: SeatState): CountedState {
	if (state === 'hand') return 'stuck';
	return state === 'slow' ? 'working' : state;
}

/** Seats with the same signal. */
export type Cluster = { readonly id: string; readonly seats: readonly number[] };

/** The signals that at least two seats have, the most common one first. */
export function clustersOf(rows: readonly BoardRow[]): Cluster[] {
	const seats = new Map<string, number[]>();
	for (const { seat, signal } of rows)
		if (signal !== null && signal.id !== 'away') seats.set(signal.id, [...(seats.get(signal.id) ?? []), seat]);
	return [...seats]
		.map(([id, found]) => ({ id, seats: found }))
		.filter((cluster) => cluster.seats.length > 1)
		.sort((one, other) => other.seats.length - one.seats.length);
}

/** The rows that contain all words of a filter in the label, the seat number, the state, the lesson or the signal. */
export function filterRows(rows: readonly BoardRow[], filter: string, titleOf: (lesson: string) => string): BoardRow[] {
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return [...rows];
	return rows.filter((row) => {
		const state = stateOf(row);
		const title = row.signal === null ? '' : signalOf(row.signal.id)?.title;
		const text = [
			row.label,
			row.seat,
			state,
			countedAs(state),
			titleOf(row.lesson ?? ''),
			row.signal?.text ?? '',
			title
		]
			.join(' ')
			.toLowerCase();
		return words.every((word) => text.includes(word));
	});
}
