import { expect, it } from 'vitest';
import { foldRows, type SentRow } from '#features/write/stage/seen-rows.ts';

const row = (id: string, change: Partial<SentRow> = {}): SentRow => ({
	id,
	from: 'client',
	to: 'resource',
	message: `GET character · ${id}`,
	kind: 'GET character',
	status: 200,
	outcome: 'Character sent',
	tone: 'ok',
	line: 6,
	by: 'line unknown',
	...change
});
const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => row(id));

it('makes one row of equal messages beside each other, where they are many', () => {
	const folded = foldRows(
		[row('auth', { kind: 'GET auth' }), ...rows, row('g', { status: 429, tone: 'error' })],
		undefined
	);
	expect(folded.map(({ first, last, message }) => [first, last, message])).toEqual([
		[1, 1, 'GET character · auth'],
		[2, 7, 'GET character · 6 times'],
		[8, 8, 'GET character · g']
	]);
});

it('keeps few rows, rows of other lines, and the rejected one that is open', () => {
	expect(foldRows(rows.slice(0, 5), undefined)).toHaveLength(5);
	expect(foldRows([...rows, row('g', { line: 7 })], undefined)).toHaveLength(2);
	expect(foldRows(rows, rows[2]).map(({ first, last }) => [first, last])).toEqual([
		[1, 2],
		[3, 3],
		[4, 6]
	]);
});
