import { expect, test } from 'vitest';
import type { SiteNames } from '#api/site.ts';
import { isCurrent, navigationItems, navigationLines } from '#features/shell/site-navigation.ts';

const names = { viewer: { name: 'Viewer' }, companion: { name: 'Companion' } };

test('every link begins with the base path and the sandbox, and has its own keys', () => {
	const items = navigationItems('/demo/~abc', names);
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
	const current = navigationItems('/~abc', names).filter((item) => isCurrent(item, path, '/~abc'));
	expect(current.map((item) => item.href)).toEqual([href]);
});

test('the viewer and the companion have their names in the world, and a world without a companion has no page of it', () => {
	const clientsOf = (world: SiteNames) =>
		navigationItems('', world).flatMap(({ group, href, label }) => (group === 'Try it' ? [[href, label]] : []));
	const others = [
		['/request', 'Request builder'],
		['/exam', 'Exam'],
		['/studio', 'World studio']
	];
	const guide = ['/guide', 'Guided demo'];
	expect(clientsOf(names)).toEqual([guide, ['/viewer', 'Viewer'], ['/companion', 'Companion'], ...others]);
	expect(clientsOf({ ...names, companion: undefined })).toEqual([guide, ['/viewer', 'Viewer'], ...others]);
});

test('a world that shows some parts has links to those only', () => {
	const shown = navigationItems('', { ...names, show: ['viewer', 'docs'] });
	expect(shown.map(({ href }) => href)).toEqual(['/', '/viewer', '/account', '/docs']);
});

test('with one group open, at most nine pages are in view', () => {
	const lines = navigationLines(navigationItems('', names));
	const counts = lines.map((line) => ('items' in line ? line.items.length : 0));
	const pages = lines.filter((line) => !('items' in line));
	expect(pages.map(({ label }) => label)).toEqual(['Learn', 'Inspector', 'Documentation']);
	expect(pages.length + Math.max(...counts)).toBeLessThanOrEqual(9);
});
