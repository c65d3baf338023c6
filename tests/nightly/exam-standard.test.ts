import { expect, it } from 'vitest';
import { goodClients, rowsOf, wrongClients } from '../exam/client-tables.ts';
import { judgeMutant } from '../exam/judge-mutant.ts';

const good = rowsOf(goodClients, ({ way, dialect }) => way === 'log' || (way === 'exam' && dialect === 'standard'));
const wrong = rowsOf(wrongClients, ({ way, dialect }) => way === 'log' || (way === 'exam' && dialect === 'standard'));

it.each(good)('finds nothing wrong with seed $seed: $name', ({ judge, seed }) => judge?.(seed));

it.each(wrong)('judges $rule with seed $seed: $name', async ({ mutant, failing, rule, seed }) => {
	if (mutant !== undefined) await judgeMutant(mutant, seed, 'standard');
	else expect(await failing?.(seed)).toContain(rule);
});
