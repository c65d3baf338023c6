import { beforeAll, describe, expect, it } from 'vitest';
import type { ExamResult } from '#api/exam.ts';
import type { Mistake } from '../exam/mistakes.ts';
import { mutants, type Mutant } from '../exam/mutants.ts';
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

/** The rules that an exam names besides, unless the condition hides them: the token of the other user has replaced the revoked one. */
const isHidden = (condition: Condition, { mistakes }: Mutant, rule: string) =>
	condition === 'another user uses the client' &&
	mistakes.includes('one token for all users') &&
	rule === 'signout.no_use_after';

const take = (mistakes: readonly Mistake[], kind: Mutant['kind'] = 'web', conditions: readonly Condition[] = []) =>
	takeExam((settings) => new ReferenceClient({ ...settings, mistakes }), { kind, seed: 1, conditions });

const verdictsOf = ({ findings }: ExamResult) => findings.map(({ rule, verdict }) => [rule, verdict]);
const objectionsOf = (result: ExamResult) =>
	verdictsOf(result).filter(([, verdict]) => verdict === 'failed' || verdict === 'advice');

describe('a good client', () => {
	let usual: ExamResult;
	beforeAll(async () => (usual = await take([])));

	it.each(conditions)('has the same verdicts where %s', async (condition) => {
		expect(verdictsOf(await take([], 'web', [condition]))).toEqual(verdictsOf(usual));
	});
});

describe.each(mutants)('of a client with the mistakes $mistakes', (mutant) => {
	const { mistakes, kind } = mutant;
	let usual: ExamResult;
	beforeAll(async () => (usual = await take(mistakes, kind)));

	it.each(conditions.filter((condition) => !isImpossible(condition, mutant)))(
		'the exam finds the same where %s',
		async (condition) => {
			const expected = objectionsOf(usual).filter(([rule = '']) => !isHidden(condition, mutant, rule));
			expect(objectionsOf(await take(mistakes, kind, [condition]))).toEqual(expected);
		}
	);
});
