import { expect, test } from 'vitest';
import { keyCaps } from '#ui/display/key-caps.ts';

test.each([
	['mod k', false, ['Ctrl', 'K']],
	['mod k', true, ['⌘', 'K']],
	['g v', false, ['G', 'V']],
	['escape', false, ['Esc']],
	['?', false, ['?']]
])('labels the keys of %s, Apple %s', (keys, apple, caps) => {
	expect(keyCaps(keys, apple)).toEqual(caps);
});
