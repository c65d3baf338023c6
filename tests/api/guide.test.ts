import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { isKnownPage } from '#api/site.ts';
import { guide, guideTargets } from '#api/world/guide.ts';
import { demoGuide } from '#features/studio/guide/demo-guide.ts';

const source = join(import.meta.dirname, '../../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
	/\.(?:svelte|ts)$/.test(file)
);
const marks = files.flatMap((file) =>
	[...readFileSync(join(source, file), 'utf8').matchAll(/data-guide=(?:"|\{[^}]*?')([\w.-]+)/g)].map(([, name]) => name)
);

test('each target is on one page, and each page that has one is known', () => {
	expect(marks.toSorted()).toEqual(Object.keys(guideTargets).toSorted());
});

test('the guided demo of the demo world has six to eight steps that all point at something', () => {
	expect(v.is(guide, demoGuide)).toBe(true);
	expect(demoGuide.steps.length).toBeGreaterThanOrEqual(6);
	expect(demoGuide.steps.length).toBeLessThanOrEqual(8);
	expect(demoGuide.steps.filter(({ target }) => !marks.includes(target ?? ''))).toEqual([]);
});

test('each page of the site can be the page of a step', () => {
	const routes = readdirSync(join(source, 'routes'), { recursive: true, encoding: 'utf8' }).filter((file) =>
		/\+page\.(?:svelte|ts)$/.test(file)
	);
	const paths = routes.map((file) => `/${dirname(file)}`.replace(/^\/\.$/, '/').replaceAll(/\[+[\w=]+\]+/g, 'a-1'));
	expect(paths).toContain('/class/a-1/wall');
	expect(paths.filter((path) => !isKnownPage(path))).toEqual([]);
	for (const path of ['/', '/viewer/', '/viewer?a=/b#c', '/account', '/docs/'])
		expect(isKnownPage(path), path).toBe(true);
});

const step = { title: 'A step', text: 'What it says.', path: '/viewer' };

test.each([
	['the page of another target', { ...step, path: '/inspector', target: 'viewer.log' }, 'target'],
	['a target that does not exist', { ...step, target: 'viewer.logo' }, 'target'],
	['something to press without a target', { ...step, press: true }, 'press'],
	['a page of another host', { ...step, path: '//other.example' }, 'path'],
	['a page that does not exist', { ...step, path: '/nowhere' }, 'path'],
	['a page that does not exist below one that does', { ...step, path: '/viewer/nowhere?a=b' }, 'path'],
	['a script', { ...step, path: 'javascript:alert(1)' }, 'path'],
	['a page that only an application leads to, without a target', { ...step, path: '/ws/oauth2/auth/' }, 'path'],
	['line breaks', { ...step, text: 'a\nb' }, 'text']
])('rejects %s', (_, wrong, field) => {
	const { issues } = v.safeParse(guide, { title: 'Demo', steps: [step, wrong] });
	expect(issues?.map((issue) => v.getDotPath(issue))).toEqual([`steps.1.${field}`]);
});
