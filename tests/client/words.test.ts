import { expect, test } from 'vitest';
import { joinWords } from '#client/words.ts';

test.each([
	[['accounts', 'ships', 'tokens'], 'accounts, ships and tokens'],
	[['accounts', 'accounts', 'tokens'], 'accounts and tokens'],
	[['accounts', 'accounts'], 'accounts']
])('joins %j, each once', (words, text) => {
	expect(joinWords(...words)).toBe(text);
});
