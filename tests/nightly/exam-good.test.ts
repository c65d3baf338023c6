import { it } from 'vitest';
import { goodClients, rowsOf } from '../exam/client-tables.ts';

// Those of today's standards are in exam-standard.test.ts, the programs in languages.test.ts.
const rows = rowsOf(goodClients, ({ way, dialect }) => way === 'exam' && dialect === 'specification');

it.each(rows)('finds nothing wrong with seed $seed: $name', ({ judge, seed }) => judge?.(seed));
