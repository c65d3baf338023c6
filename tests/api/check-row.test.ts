import { expectTypeOf, test } from 'vitest';
import type { CheckRow } from '#api/check-table/check-row.ts';

const row = { title: 'The method is POST', section: '4', failed: 'wrong method' } as const;

test('a check of the specification says what requires it in the dialect of today’s standards', () => {
	expectTypeOf(row).not.toExtend<CheckRow>();
	expectTypeOf({ ...row, standard: 'same' } as const).toExtend<CheckRow>();
	expectTypeOf({ ...row, standard: { section: 'RFC 6749 §3.2' } } as const).toExtend<CheckRow>();
	expectTypeOf({ ...row, section: 'RFC 6749 §3.2' } as const).toExtend<CheckRow>();
});

test('a check reads parts of a request only', () => {
	expectTypeOf({ ...row, standard: 'same', reads: ['method'] } as const).toExtend<CheckRow>();
	expectTypeOf({ ...row, standard: 'same', reads: ['methd'] } as const).not.toExtend<CheckRow>();
});
