import { describe, it } from 'vitest';
import { judgeGoodClient, judgeLibrary, judgeMutant } from '../exam/judge-mutant.ts';
import { standardMutants } from '../exam/mutants.ts';
import { standardLibraries } from '../exam/standard-libraries.ts';

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

it.each(seeds)('finds nothing wrong in a good client with seed %i', (seed) => judgeGoodClient(seed, 'standard'));

describe.each(standardLibraries)('a client with $name', (library) => {
	it.each(seeds)('fails no rule with seed %i', (seed) => judgeLibrary(library, seed, 'standard'));
});

describe.each([1, 2, 3])('with seed %i', (seed) => {
	it.each(standardMutants)('judges $rule: $mistakes', (mutant) => judgeMutant(mutant, seed, 'standard'));
});
