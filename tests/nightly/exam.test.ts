import { describe, it } from 'vitest';
import { judgeGoodClient, judgeMutant } from '../exam/judge-mutant.ts';
import { mutants } from '../exam/mutants.ts';

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

it.each(seeds)('finds nothing wrong in a good client with seed %i', (seed) => judgeGoodClient(seed));

describe.each(seeds.slice(0, 5))('with seed %i', (seed) => {
	it.each(mutants)('finds $rule: $mistakes', (mutant) => judgeMutant(mutant, seed));
});
