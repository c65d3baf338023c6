import { expect, it } from 'vitest';
import type { BoardRow } from '#api/control/board.ts';
import { allSignals } from '#evidence/signals/find-signal.ts';
import { clustersOf, countRows, filterRows, orderRows, paceOf, stateOf } from '#course/class/model/seat-state.ts';
import { rowOf, signalOf } from './rows.ts';

it('orders hands by their time, then what gets worse, other signals, slow seats, the rest', () => {
	const rows = [
		rowOf({ seat: 1, is_done: true }),
		rowOf({ seat: 2 }),
		rowOf({ seat: 3, signal: signalOf('bearer'), minutes: 9 }),
		rowOf({ seat: 4, signal: signalOf('loop') }),
		rowOf({ seat: 5, hand: { since: 20 } }),
		rowOf({ seat: 6, hand: { since: 10 } }),
		rowOf({ seat: 7, minutes: 4 }),
		rowOf({ seat: 8, minutes: 6 }),
		rowOf({ seat: 9, presence: 'away' }),
		rowOf({ seat: 10, signal: signalOf('name'), minutes: 10 })
	];
	expect(orderRows(rows).map(({ seat }) => seat)).toEqual([6, 5, 4, 10, 3, 8, 7, 2, 1, 9]);
});

it('counts each seat once', () => {
	const rows = [
		rowOf({ seat: 1, hand: { since: 1 } }),
		rowOf({ seat: 2, minutes: 9 }),
		rowOf({ seat: 3, is_done: true, presence: 'away' }),
		rowOf({ seat: 4, presence: 'away', signal: signalOf('away') }),
		rowOf({ seat: 5, signal: signalOf('bearer') })
	];
	expect(countRows(rows)).toEqual({ hand: 1, stuck: 1, working: 1, done: 1, away: 1 });
});

it.each(allSignals)('$id of a student who is away, and of one who is here', ({ id, kind }) => {
	const of = (presence: BoardRow['presence']) => stateOf(rowOf({ seat: 1, presence, signal: signalOf(id) }));
	const here = { mistake: 'stuck', wait: 'slow', note: 'working' }[kind];
	expect([of('active'), of('away')]).toEqual([here, kind === 'mistake' ? 'stuck' : 'away']);
});

it('compares minutes with the median, but with one minute at least', () => {
	const paces = [
		rowOf({ seat: 1, minutes: 3, median: null }),
		rowOf({ seat: 1, minutes: 1, median: 0 }),
		rowOf({ seat: 1, minutes: 4, median: 2 }),
		rowOf({ seat: 1, minutes: 6, median: 2 })
	].map(paceOf);
	expect(paces).toEqual(['usual', 'usual', 'slow', 'very slow']);
});

it('groups seats with the same signal, from two on', () => {
	const rows = ['bearer', 'name', 'bearer', 'away', 'away'].map((id, seat) => rowOf({ seat, signal: signalOf(id) }));
	expect(clustersOf(rows)).toEqual([{ id: 'bearer', kind: 'mistake', seats: [0, 2] }]);
});

it('names mistakes before what is no error, for the wall', () => {
	const ids = ['on_sign_in_page', 'on_sign_in_page', 'on_sign_in_page', 'bearer', 'bearer'];
	const rows = ids.map((id, seat) => rowOf({ seat, signal: signalOf(id) }));
	expect(clustersOf(rows).map(({ id }) => id)).toEqual(['bearer', 'on_sign_in_page']);
});

it('filters by words in the label, the state, the lesson and the title of the signal', () => {
	const rows = [
		rowOf({ seat: 1, label: 'Quiet Heron', signal: signalOf('bearer') }),
		rowOf({ seat: 2, label: 'Calm Badger', lesson: 'one-letter-off' })
	];
	const found = (filter: string) => filterRows(rows, filter, (lesson) => lesson).map(({ seat }) => seat);
	expect([
		found('heron'),
		found('stuck'),
		found('one-letter'),
		found('Bearer instead of OAuth'),
		found('zebra')
	]).toEqual([[1], [1], [2], [1], []]);
});
