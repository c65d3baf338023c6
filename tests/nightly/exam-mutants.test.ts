import { describe, it } from 'vitest';
import { habits } from '../exam/habits.ts';
import { judgeGoodClient, judgeHabits, judgeLibrary, judgeMutant } from '../exam/judge-mutant.ts';
import { libraries } from '../exam/libraries.ts';
import { furtherMutants, mutants, standardMutants } from '../exam/mutants.ts';
import { standardLibraries } from '../exam/standard-libraries.ts';

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

it.each(seeds)('finds nothing wrong in a good client with seed %i', (seed) => judgeGoodClient(seed));

it.each(libraries)('finds nothing wrong in a client with $name', async (library) => {
	for (const seed of seeds) await judgeLibrary(library, seed);
});

describe.each(seeds.slice(0, 2))('in further clients with seed %i', (seed) => {
	it.each(habits.map((habit) => [habit]))('finds nothing wrong: %s', (habit) => judgeHabits([habit], seed));
	it.each(furtherMutants)('judges $rule: $mistakes', (mutant) => judgeMutant(mutant, seed));
});

describe.each(seeds.slice(0, 5))('with seed %i', (seed) => {
	it.each(mutants)('finds $rule: $mistakes', (mutant) => judgeMutant(mutant, seed));
});

describe('in the dialect of today’s standards', () => {
	it.each(seeds)('finds nothing wrong in a good client with seed %i', (seed) => judgeGoodClient(seed, 'standard'));

	it.each(standardLibraries)('finds nothing wrong in a client with $name', async (library) => {
		for (const seed of seeds) await judgeLibrary(library, seed, 'standard');
	});

	it.each(standardMutants)('judges $rule: $mistakes', async (mutant) => {
		for (const seed of seeds.slice(0, 3)) await judgeMutant(mutant, seed, 'standard');
	});
});
