import { describe, it } from 'vitest';
import { judgeMutant } from '../exam/judge-mutant.ts';
import { furtherMutants, mutants } from '../exam/mutants.ts';

describe.each([1, 2, 3, 4, 5])('with seed %i', (seed) => {
	it.each(mutants)('finds $rule: $mistakes', (mutant) => judgeMutant(mutant, seed));
});

describe.each([1, 2])('in further clients with seed %i', (seed) => {
	it.each(furtherMutants)('judges $rule: $mistakes', (mutant) => judgeMutant(mutant, seed));
});
