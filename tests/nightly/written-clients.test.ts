import { expect, test } from 'vitest';
import { allExercises, loadExercise } from '#features/write/all-exercises.ts';
import { inAllBrowsers } from './all-browsers.ts';
import { openExercise, runInPage, typeAndRun } from './exercise-page.ts';

// The exercises in the editor of the page: solutions are typed where the browser is driven by its keyboard, near misses are pasted.

const loaded = await Promise.all(allExercises.map(async ({ id }) => ({ id, exercise: await loadExercise(id) })));
const exercises = loaded.flatMap(({ id, exercise }) => (exercise === undefined ? [] : [{ id, ...exercise }]));

inAllBrowsers((place, browser) => {
	test.each(exercises)('$id is passed by its solution', async ({ id, solution }) => {
		const { tab, origin } = place();
		await openExercise(tab, origin, id);
		const { type } = tab;
		const shown = await (type === undefined ? runInPage(tab, solution, 60_000) : typeAndRun(tab, solution, type));
		expect(shown).toMatchObject({ failed: [], open: 0 });
	});

	test.runIf(browser === 'Chromium').each(exercises)('$id names each near miss', async ({ id, nearMisses }) => {
		const { tab, origin } = place();
		await openExercise(tab, origin, id);
		const failed: string[][] = [];
		for (const { program } of nearMisses) failed.push((await runInPage(tab, program, 60_000)).failed);
		expect(failed).toEqual(nearMisses.map(({ condition }) => [condition]));
	});
});
