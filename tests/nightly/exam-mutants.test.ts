import { it } from 'vitest';
import { rowsOf, wrongClients } from '../exam/client-tables.ts';
import { judgeMutant } from '../exam/judge-mutant.ts';

const rows = rowsOf(wrongClients, ({ mutant, dialect }) => mutant !== undefined && dialect === 'specification');

it.each(rows)('judges $rule with seed $seed: $name', async ({ mutant, seed }) => {
	if (mutant !== undefined) await judgeMutant(mutant, seed);
});
