import { expect, test } from 'vitest';
import { isCurrent, navigation } from '#features/shell/site-navigation.ts';

test('every link begins with the base path and the sandbox, and has its own keys', () => {
	const items = navigation('/demo/~abc').flatMap((group) => group.items);
	expect(items.every(({ href }) => href.startsWith('/demo/~abc/'))).toBe(true);
	expect(new Set(items.map(({ keys }) => keys)).size).toBe(items.length);
});

test.each([
	['/~abc/', '/~abc'],
	['/~abc/', '/~abc/'],
	['/~abc/viewer', '/~abc/viewer/callback'],
	['/~abc/console', '/~abc/console/application'],
	['/~abc/controls/faults', '/~abc/controls/faults']
])('%s is current at %s', (href, path) => {
	const current = navigation('/~abc')
		.flatMap((group) => group.items)
		.filter((item) => isCurrent(item, path, '/~abc'));
	expect(current.map((item) => item.href)).toEqual([href]);
});
