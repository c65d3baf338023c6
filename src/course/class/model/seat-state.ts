import type { BoardRow } from '#api/control/board.ts';
import { groupName } from './class-words.ts';
import { signalOf } from '#evidence/signals/find-signal.ts';
import type { SignalKind } from '#evidence/signals/signal.ts';

/** The states of a seat, in the order of the board: those who need help first. */
export const seatStates = ['hand', 'stuck', 'slow', 'working', 'done', 'away'] as const;
export type SeatState = (typeof seatStates)[number];

/** The counts above the board, and those on the wall. */
export const countedStates = ['hand', 'stuck', 'working', 'done', 'away'] as const;
export const wallStates = ['done', 'working', 'stuck'] as const;
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

/** What the signal of a row says. Undefined without one. */
export function kindOfSignal({ signal }: BoardRow): SignalKind | undefined {
	return signal === null ? undefined : signalOf(signal.id)?.kind;
}

/**
 * The state of a seat. A raised hand is first, whatever the student does. An open mistake comes before absence: students who write
 * a client leave the page.
 */
export function stateOf(row: BoardRow): SeatState {
	if (row.hand !== null) return 'hand';
	const kind = kindOfSignal(row);
	const hasLeft = row.is_done && row.presence === 'away';
	if (kind === 'mistake' && !hasLeft) return 'stuck';
	if (row.is_done) return 'done';
	if (row.presence === 'away') return 'away';
	return kind === 'wait' || paceOf(row) !== 'usual' ? 'slow' : 'working';
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

/** How many seats are in each count. A slow seat counts as working. */
export function countRows(rows: readonly BoardRow[]): Record<CountedState, number> {
	const counts = { hand: 0, stuck: 0, working: 0, done: 0, away: 0 };
	for (const row of rows) counts[countedAs(stateOf(row))]++;
	return counts;
}

/** The count that a state belongs to. */
export function countedAs(state: SeatState): CountedState {
	return state === 'slow' ? 'working' : state;
}

export type Cluster = { readonly id: string; readonly kind: SignalKind; readonly seats: readonly number[] };

/** The signals that at least two seats have: mistakes first, and of those the most common one. */
export function clustersOf(rows: readonly BoardRow[]): Cluster[] {
	const kinds: readonly SignalKind[] = ['mistake', 'wait', 'note'];
	const seats = new Map<string, number[]>();
	for (const { seat, signal } of rows)
		if (signal !== null && signal.id !== 'away') seats.set(signal.id, [...(seats.get(signal.id) ?? []), seat]);
	return [...seats]
		.map(([id, found]) => ({ id, kind: signalOf(id)?.kind ?? 'note', seats: found }))
		.filter((cluster) => cluster.seats.length > 1)
		.sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || other.seats.length - one.seats.length);
}

export type Group = { readonly group: number; readonly seats: readonly number[]; readonly helpless: number };

/** The groups that have seats, in their order, with how many of the seats raise a hand or are stuck. */
export function groupsOf(rows: readonly BoardRow[]): Group[] {
	const groups = new Map<number, BoardRow[]>();
	for (const row of rows) if (row.group !== null) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
	return [...groups]
		.sort(([one], [other]) => one - other)
		.map(([group, found]) => ({
			group,
			seats: found.map(({ seat }) => seat).sort((one, other) => one - other),
			helpless: found.filter((row) => ['hand', 'stuck'].includes(stateOf(row))).length
		}));
}

/** The same rows, with those of a group together. */
export function byGroup(rows: readonly BoardRow[]): BoardRow[] {
	return rows.toSorted((one, other) => (one.group ?? 0) - (other.group ?? 0));
}

/** The rows that contain all words of a filter in the label, the seat number, the state, the lesson or the signal. */
export function filterRows(
	rows: readonly BoardRow[],
	filter: string,
	titleOf: (lesson: string) => string,
	names?: { of(seat: number): string | undefined }
): BoardRow[] {
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return [...rows];
	return rows.filter((row) => {
		const state = stateOf(row);
		const title = row.signal === null ? '' : signalOf(row.signal.id)?.title;
		const text = [
			row.label,
			names?.of(row.seat) ?? '',
			row.seat,
			state,
			countedAs(state),
			titleOf(row.lesson ?? ''),
			row.signal?.text ?? '',
			title,
			row.group === null ? '' : `group ${groupName(row.group)}`,
			row.note,
			row.helped === null ? '' : 'helped'
		]
			.join(' ')
			.toLowerCase();
		return words.every((word) => text.includes(word));
	});
}
