import { expectTypeOf, test } from 'vitest';
import type { CheckRow } from '#api/check-table/check-row.ts';

test('a check reads parts of a request only', () => {
	expectTypeOf({ failed: true, reads: ['method'] } as const).toExtend<CheckRow>();
	expectTypeOf({ failed: true, reads: ['methd'] } as const).not.toExtend<CheckRow>();
});

test('a check fails, for one cause or several, or it cannot', () => {
	expectTypeOf({ causes: ['expired'] } as const).toExtend<CheckRow>();
	expectTypeOf({ cannotFail: true } as const).toExtend<CheckRow>();
	expectTypeOf({ reads: ['method'] } as const).not.toExtend<CheckRow>();
});
