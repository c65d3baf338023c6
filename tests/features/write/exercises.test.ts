import { describe, expect, it } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import { allExercises, loadExercise } from '#features/write/all-exercises.ts';
import { isPassed } from '#features/write/model/judge.ts';
import { runProgram } from './run.ts';

describe.each(allExercises)('$id', async ({ id }) => {
	const exercise = await loadExercise(id);
	if (exercise === undefined) throw new Error(`${id} has no exercise.`);

	it('is passed by its solution, and not by its start', async () => {
		const { run, conditions } = await runProgram(exercise, exercise.solution);
		expect(run.problem).toBeUndefined();
		expect(conditions.filter(({ state }) => state !== 'met')).toEqual([]);
		const started = await runProgram(exercise, exercise.start);
		expect(isPassed(started.conditions)).toBe(false);
	});

	it.each(exercise.nearMisses)('names the condition that fails for $name', async ({ program, condition }) => {
		expect(program).not.toBe(exercise.solution);
		const { conditions } = await runProgram(exercise, program);
		expect(conditions.filter(({ state }) => state === 'failed').map((one) => one.id)).toContain(condition);
	});

	it('has at least three near misses, and rules that exist', () => {
		expect(exercise.nearMisses.length).toBeGreaterThanOrEqual(3);
		const known = allRules.map((rule) => rule.id);
		expect(exercise.rules.filter((rule) => !known.includes(rule))).toEqual([]);
		expect(exercise.start).toMatch(new RegExp(exercise.writesAt, 'm'));
	});
});
