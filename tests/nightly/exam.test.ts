import { describe, it } from 'vitest';
import { habits } from '../exam/habits.ts';
import { judgeGoodClient, judgeHabits, judgeLibrary, judgeMutant } from '../exam/judge-mutant.ts';
import { libraries } from '../exam/libraries.ts';
import { furtherMutants, mutants } from '../exam/mutants.ts';

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
