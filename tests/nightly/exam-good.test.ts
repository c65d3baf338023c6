import { describe, it } from 'vitest';
import { habits } from '../exam/habits.ts';
import { judgeGoodClient, judgeHabits, judgeLibrary } from '../exam/judge-mutant.ts';
import { libraries } from '../exam/libraries.ts';

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

it.each(seeds)('finds nothing wrong in a good client with seed %i', (seed) => judgeGoodClient(seed));

describe.each(libraries)('a client with $name', (library) => {
	it.each(seeds)('fails no rule with seed %i', (seed) => judgeLibrary(library, seed));
});

describe.each([1, 2])('with seed %i', (seed) => {
	it.each(habits.map((habit) => [habit]))('finds nothing wrong: %s', (habit) => judgeHabits([habit], seed));
});
