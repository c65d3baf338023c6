import { expect, test } from 'vitest';
import type { SiteNames } from '#api/site.ts';
import { isCurrent, navigation } from '#features/shell/site-navigation.ts';

const names = { brand: { name: 'Tollgate' }, viewer: { name: 'Viewer' }, companion: { name: 'Companion' } };

test('every link begins with the base path and the sandbox, and has its own keys', () => {
	const items = navigation('/demo/~abc', names).flatMap((group) => group.items);
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
	const current = navigation('/~abc', names)
		.flatMap((group) => group.items)
		.filter((item) => isCurrent(item, path, '/~abc'));
	expect(current.map((item) => item.href)).toEqual([href]);
});

test('the viewer and the companion have their names in the world, and a world without a companion has no page of it', () => {
	const clientsOf = (world: SiteNames) =>
		navigation('', world).flatMap(({ label, items }) =>
			label === 'Demo clients' ? items.map((item) => [item.href, item.label]) : []
		);
	expect(clientsOf(names)).toEqual([
		['/viewer', 'Viewer'],
		['/companion', 'Companion']
	]);
	expect(clientsOf({ ...names, companion: undefined })).toEqual([['/viewer', 'Viewer']]);
	expect(navigation('', { ...names, brand: { name: 'Partner' } })[0]?.label).toBe('Partner');
});
