import { expect, test } from 'vitest';
import { areaLabel, siteAreas, type SiteNames } from '#api/site.ts';
import {
	isCurrent,
	menuParts,
	navigationDoors,
	navigationItems,
	navigationLinks
} from '#features/shell/site-navigation.ts';

const names = { viewer: { name: 'Viewer' }, companion: { name: 'Companion' } };

test('every link begins with the base path and the sandbox, but those of exercises and of the class, and has its own keys', () => {
	const items = navigationItems('/demo/~abc', names, '/demo');
	const outside = items.filter(({ href }) => !href.startsWith('/demo/~abc/'));
	expect(outside.map(({ href }) => href)).toEqual(['/demo/write', '/demo/labs', '/demo/class']);
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

const labelsOf = (world: SiteNames) =>
	navigationDoors(navigationItems('', world)).map(({ label, items }) => [label, ...items.map((item) => item.label)]);

test('three doors lead to what a user wants, then two pages have their own lines', () => {
	expect(labelsOf(names)).toEqual([
		['Learn', 'Lessons', 'Write', 'Labs', 'Viewer', 'Companion', 'Rate limit lab'],
		['Connect your client', 'Applications', 'Request builder', 'Exam', 'Agents', 'Providers'],
		['Teach or demo', 'Guided demo', 'Class', 'World studio']
	]);
	const links = navigationLinks(navigationItems('', names));
	expect(links.map(({ label }) => label)).toEqual(['Inspector', 'Documentation']);
});

test('a world without a companion has no page of it, and a door without pages is not shown', () => {
	expect(labelsOf({ ...names, companion: undefined })[0]).toEqual([
		'Learn',
		'Lessons',
		'Write',
		'Labs',
		'Viewer',
		'Rate limit lab'
	]);
	expect(labelsOf({ ...names, show: ['viewer', 'docs'] })).toEqual([['Learn', 'Viewer']]);
});

test('every page has one place: the mark, a door, a line or the menu of the sandbox', () => {
	const items = navigationItems('', names);
	const placed = [
		...navigationDoors(items).flatMap((door) => door.items),
		...navigationLinks(items),
		...menuParts(items).flatMap((part) => part.items)
	];
	expect(placed.map(({ path }) => path).sort()).toEqual(
		items.flatMap(({ path }) => (path === '/' ? [] : [path])).sort()
	);
});

test('a world that shows some parts has links to those only', () => {
	const shown = navigationItems('', { ...names, show: ['viewer', 'docs'] });
	expect(shown.map(({ href }) => href)).toEqual(['/', '/viewer', '/docs', '/account']);
});

test('with one door open, at most ten pages are in view', () => {
	const doors = navigationDoors(navigationItems('', names));
	const most = Math.max(...doors.map(({ items }) => items.length));
	expect(navigationLinks(navigationItems('', names)).length + most).toBeLessThanOrEqual(10);
});

test('each part of the site that a world can leave out has another name', () => {
	const labels = siteAreas.map(areaLabel);
	expect(new Set(labels).size).toBe(siteAreas.length);
	expect(labels).toEqual(
		expect.arrayContaining(['Web application', 'Installed application', 'Settings', 'Applications'])
	);
	expect(siteAreas.filter((area) => labels.includes(area))).toEqual([]);
});
