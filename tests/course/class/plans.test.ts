import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allLessons, loadLesson } from '#course/lessons/all-lessons.ts';

const page = readFileSync(join(import.meta.dirname, '../../../src/content/docs/class.md'), 'utf8');

/** The rows of the table of plans: the title, then a cell for each plan. */
const rows = page
	.slice(page.indexOf('| Lesson |'), page.indexOf('## During'))
	.split('\n')
	.slice(2)
	.filter((line) => line.startsWith('|'))
	.map((line) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim())
	);

it('the plans have the minutes of the lessons and of their notes', async () => {
	for (const { id, title, minutes } of allLessons) {
		const lesson = await loadLesson(id, true);
		const cells = rows.find(([name]) => name === title)?.slice(1) ?? [];
		expect(
			cells.filter((cell) => cell !== ''),
			title
		).not.toEqual([]);
		expect(new Set(cells.filter((cell) => cell !== '')), title).toEqual(
			new Set([`${minutes} + ${lesson?.notes.discuss}`])
		);
	}
});

it.each([
	[1, 45],
	[2, 90],
	[3, 180],
	[4, 90]
])('plan %i fits %i minutes', (column, most) => {
	const minutes = rows
		.flatMap((cells) => cells[column]?.split(' + ') ?? [])
		.reduce((sum, cell) => sum + (Number(cell) || 0), 0);
	expect(minutes).toBeLessThanOrEqual(most);
	expect(minutes).toBeGreaterThan(most - 10);
});

it('the plan of 90 minutes is the selection', () => {
	const titles = rows.filter((cells) => /\d \+/.test(cells[2] ?? '')).map(([title]) => title);
	expect(titles).toEqual(allLessons.filter(({ isInSelection }) => isInSelection).map(({ title }) => title));
});
