import { expect, test } from 'vitest';
import { isCurrent, navigation } from '#ui/shell/site-navigation.ts';

test('every link begins with the place it is in, and has a key of its own', () => {
	const items = navigation('/demo/~abc', true).flatMap((group) => group.items);
	expect(items.every(({ href }) => href.startsWith('/demo/~abc/'))).toBe(true);
	expect(new Set(items.map(({ keys }) => keys)).size).toBe(items.length);
});

test('the style guide exists in development only', () => {
	const hrefs = navigation('', false).flatMap((group) => group.items.map(({ href }) => href));
	expect(hrefs).not.toContain('/styleguide');
});

test.each([
	['/~abc/', '/~abc'],
	['/~abc/', '/~abc/'],
	['/~abc/viewer', '/~abc/viewer/callback']
])('%s is current at %s', (href, path) => {
	const current = navigation('/~abc', false)
		.flatMap((group) => group.items)
		.filter((item) => isCurrent(item, path, '/~abc'));
	expect(current.map((item) => item.href)).toEqual([href]);
});
