import { expect, test } from 'vitest';
import { allExercises, loadExercise } from '#course/write/exercises.ts';
import { nearMissesOf } from '../course/write/run.ts';
import { inAllBrowsers } from './all-browsers.ts';
import { goodClient } from '#course/write/program-exam/exam-session.svelte.ts';
import { changed } from '#course/write/program-changes.ts';
import { openExercise, runInPage, takeExamInPage, typeAndRun } from './exercise-page.ts';

// The exercises in the editor of the page: solutions are typed where the browser is driven by its keyboard, near misses are pasted.

const loaded = await Promise.all(
	allExercises.map(async ({ id }) => {
		const exercise = await loadExercise(id);
		return { id, exercise, nearMisses: await nearMissesOf(id, exercise?.solution ?? '') };
	})
);
const exercises = loaded.flatMap(({ exercise, ...one }) => (exercise === undefined ? [] : [{ ...one, ...exercise }]));

inAllBrowsers((place) => {
	// The page is opened once for an exercise: pages that a browser keeps for Back have connections to the server.
	test.each(exercises)(
		'$id is passed by its solution, and names each near miss',
		async ({ id, solution, nearMisses }) => {
			const { tab, origin } = place();
			await openExercise(tab, origin, id);
			const { type } = tab;
			const shown = await (type === undefined ? runInPage(tab, solution, 60_000) : typeAndRun(tab, solution, type));
			expect(shown).toMatchObject({ failed: [], open: 0 });
			const failed: string[][] = [];
			for (const { program } of nearMisses) failed.push((await runInPage(tab, program, 60_000)).failed);
			expect(failed).toEqual(nearMisses.map(({ condition }) => [condition]));
		}
	);

	test.each([
		{ name: 'a good client', program: goodClient, rules: 0 },
		{
			name: 'a client whose calls refresh one by one',
			program: changed(goodClient, [
				'refreshing ??= refresh().finally(() => (refreshing = undefined));',
				'await refresh();'
			]),
			rules: 1
		}
	])('the exam in the page judges $name', async ({ name, program, rules }) => {
		const { tab, origin } = place();
		await openExercise(tab, origin, 'take-the-exam');
		const { failed, said } = await takeExamInPage(tab, program);
		console.log(`exam of ${name}: ${said}`);
		expect(failed).toBe(rules);
	});
});
