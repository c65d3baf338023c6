import { describe, expect, it } from 'vitest';
import type { ExamResult } from '#api/exam.ts';
import { mutants, type Mistake, type Mutant } from '../exam/mutants.ts';
import { ReferenceClient } from '../exam/reference-client.ts';
import { takeExam, type Condition } from '../exam/take-exam.ts';

const conditions: readonly Condition[] = [
	'each response takes 3 s',
	'each page is loaded twice',
	'another user uses the client'
];

/** Where a client is so slow, no 20 requests can be rejected in a window. */
const isImpossible = (condition: Condition, { rule }: Mutant) =>
	condition === 'each response takes 3 s' && rule === 'limit.few_refused';

const take = (mistakes: readonly Mistake[], kind: Mutant['kind'] = 'web', usual: readonly Condition[] = []) =>
	takeExam((settings) => new ReferenceClient({ ...settings, mistakes }), { kind, seed: 1, conditions: usual });

const verdictsOf = ({ findings }: ExamResult) => findings.map(({ rule, verdict }) => [rule, verdict]);
const objectionsOf = (result: ExamResult) =>
	verdictsOf(result).filter(([, verdict]) => verdict === 'failed' || verdict === 'advice');

describe.each(conditions)('where %s', (condition) => {
	it('has the same verdicts about a good client', async () => {
		expect(verdictsOf(await take([], 'web', [condition]))).toEqual(verdictsOf(await take([])));
	});

	const possible = mutants.filter((mutant) => !isImpossible(condition, mutant));
	it.each(possible)('finds the same mistakes: $rule, $mistakes', async ({ mistakes, kind }) => {
		expect(objectionsOf(await take(mistakes, kind, [condition]))).toEqual(objectionsOf(await take(mistakes, kind)));
	});
});
