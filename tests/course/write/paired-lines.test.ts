import { expect, test } from 'vitest';
import { pairedLines } from '#course/write/stage/paired-lines.ts';

test('puts two versions beside each other, each line with its number', () => {
	const rows = pairedLines('a();\nb();\nend', 'a();\nx();\ny();\nend').map(
		({ isSame, before, after }) =>
			`${before?.number ?? '-'} ${isSame ? '=' : '|'} ${after?.number ?? '-'} ${after?.text}`
	);
	expect(rows).toEqual(['1 = 1 a();', '2 | 2 x();', '- | 3 y();', '3 = 4 end']);
});
