import { dialectNameOf } from '#api/dialect.ts';
import { describe, expect, it } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import { evaluateRules } from '#evidence/rule.ts';
import { rulesIn } from '#evidence/provider-rules.ts';
import { allExercises, loadExercise } from '#course/write/exercises.ts';
import type { Exercise } from '#course/write/exercise.ts';
import { changed } from '#course/write/program-changes.ts';
import { isPassed } from '#course/write/model/judge.ts';
import { seenRows } from '#course/write/stage/seen-rows.ts';
import { alternatives } from './alternatives.ts';
import { opposites } from './opposites.ts';
import { ruleBreaks, type RuleBreak } from './rule-breaks.ts';
import { nearMissesOf, runProgram } from './run.ts';

/** The ids of the conditions that a program does not meet, with their states. */
async function notMet(exercise: Exercise, source: string): Promise<string[]> {
	const { run, conditions } = await runProgram(exercise, source);
	expect(run.problem).toBeUndefined();
	return conditions
		.filter(({ state }) => state !== 'met')
		.map(({ id, state, nearMiss }) =>
			nearMiss === undefined ? `${id} ${state}` : `${id} ${state}: ${nearMiss.title}`
		);
}

/** The rules of an exercise that a program fails. */
async function failedRules(exercise: Exercise, source: string): Promise<string[]> {
	const { rules, preset } = exercise;
	const { run } = await runProgram(exercise, source);
	const judged = evaluateRules(rulesIn(dialectNameOf(preset?.settings?.dialect)), run.evidence().run);
	return judged.flatMap(({ rule, verdict }) => (verdict === 'failed' && rules.includes(rule) ? [rule] : []));
}

describe.each(allExercises.filter(({ group }) => group !== 'Exam'))('$id', async ({ id, group }) => {
	const exercise = await loadExercise(id);
	if (exercise === undefined) throw new Error(`${id} has no exercise.`);
	const { start, solution, rules, writesAt, differences } = exercise;
	const nearMisses = await nearMissesOf(id, solution);

	it('is passed by its solution', async () => {
		expect(await notMet(exercise, solution)).toEqual([]);
	});

	it('is not passed by its start', async () => {
		const { run, conditions } = await runProgram(exercise, start);
		expect(run.problem).toBeUndefined();
		expect(isPassed(conditions)).toBe(false);
	});

	const opposed = (opposites[id] ?? []).map(([name, condition, ...changes]) => ({
		name,
		condition,
		program: changed(solution, ...changes)
	}));

	it.each([...nearMisses, ...opposed])('names one condition that fails for $name', async ({ program, condition }) => {
		const { run, conditions } = await runProgram(exercise, program);
		expect(conditions.flatMap(({ id, state }) => (state === 'failed' ? [id] : []))).toEqual([condition]);
		expect(seenRows(run.service.entries, (entry) => run.service.senderOf(entry), run.browser)).not.toEqual([]);
	});

	const breaks = ruleBreaks[id] ?? {};

	it('has a program for each of its rules', () => {
		expect(Object.keys(breaks).sort()).toEqual([...rules].sort());
	});

	/** The program, and the condition or rule that must fail. */
	function brokenBy(found: RuleBreak): { readonly program: string; readonly fails: string } {
		if (typeof found !== 'string') return { program: changed(solution, ...found.changes), fails: found.fails };
		const miss = nearMisses.find(({ name }) => name === found);
		if (miss === undefined) throw new Error(`There is no near miss “${found}”.`);
		return { program: miss.program, fails: miss.condition };
	}

	it.each(Object.entries(breaks))('fails a program that breaks %s', async (_, found) => {
		const { program, fails } = brokenBy(found);
		const { conditions } = await runProgram(exercise, program);
		expect(conditions.flatMap((one) => (one.state === 'failed' ? [one.id] : []))).toContain(fails);
	});

	it.each(alternatives[id] ?? [])('is passed by another right program: $name', async ({ changes }) => {
		expect(await notMet(exercise, changed(solution, ...changes))).toEqual([]);
	});

	it.runIf(group === 'Repair')('begins with a client that signs users in, and fails one rule', async () => {
		const { conditions } = await runProgram(exercise, start);
		expect(conditions.find((one) => one.id === 'signs_in')?.state).toBe('met');
		expect(conditions.filter(({ state }) => state === 'failed')).toHaveLength(1);
		expect(await failedRules(exercise, start)).toHaveLength(1);
		expect(await failedRules(exercise, solution)).toEqual([]);
	});

	it('says why lines of its solution matter', () => {
		expect(differences.filter(({ at }) => !solution.split('\n').some((line) => at.test(line)))).toEqual([]);
		expect(differences.length).toBeGreaterThan(0);
	});

	it('has near misses, another right program, and rules that exist', () => {
		expect(nearMisses.length).toBeGreaterThanOrEqual(3);
		expect(new Set([start, solution, ...nearMisses.map(({ program }) => program)]).size).toBe(nearMisses.length + 2);
		expect(alternatives[id]).toBeDefined();
		const known = allRules.map((rule) => rule.id);
		expect(rules.filter((rule) => !known.includes(rule))).toEqual([]);
		expect(start).toMatch(new RegExp(writesAt, 'm'));
	});
});
