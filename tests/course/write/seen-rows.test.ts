import { expect, it } from 'vitest';
import { loadExercise } from '#course/write/exercises.ts';
import { changed } from '#course/write/program-changes.ts';
import { foldRows, openRow, seenRows, type SentRow } from '#course/write/stage/seen-rows.ts';

import { runProgram } from './run.ts';

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

it('opens the message of the finding, and not one that the exercise rejected on purpose', async () => {
	const exercise = await loadExercise('refresh-once');
	if (exercise === undefined) throw new Error('There is no such exercise.');
	const program = changed(exercise.solution, ["grant_type: 'refresh_token',", "grant_type: 'refresh',"]);
	const { run, conditions } = await runProgram(exercise, program);
	const shown = seenRows(run.service.entries, (entry) => run.service.senderOf(entry), run.browser);
	const finding = conditions.find(({ state }) => state === 'failed');
	const opened = openRow(shown, finding);
	expect(opened?.message).toBe('POST token · refresh');
	expect(finding?.nearMiss?.lines).toEqual([opened?.line]);
	expect(openRow(shown, undefined)?.message).toContain('GET character');
	expect(openRow(shown, { nearMiss: {} })).toBeUndefined();
});
