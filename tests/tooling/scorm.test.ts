import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScormEdition } from '#course/embed/scorm-run-time.ts';
import { scormFiles, writeScorm } from '#tooling/program/scorm.ts';
import { valid } from '../evidence/lesson-file/files.ts';
import { unzip } from '../run/unzip.ts';

const start = 'const base = "/__tollgate_base__"; import("/__tollgate_base__/_app/start.js")';
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
/** A static build as the build writes it, in small. */
const build = {
	'404.html': `<!doctype html><html lang="en"><head><script>new URL('/__tollgate_base__/', location.href)</script><meta http-equiv="content-security-policy" content="script-src ${hashOf(start)}"><style>@font-face{src:url(/__tollgate_base__/_app/a.woff2)}</style><!-- site --></head><body><script>${start}</script></body></html>`,
	'_app/start.js': 'const d=["/__tollgate_base__/_app/b.css"],e=`/__tollgate_base__`;',
	'_app/assets/b.css': '@font-face{src:url(/__tollgate_base__/_app/a.woff2)}',
	'service.css': '@font-face{src:url(/__tollgate_base__/_app/a.woff2)}',
	'_app/a.woff2': '\u0000\u0001',
	'world.json': '{}',
	'service-worker.js': 'not part of a package',
	'docs/index.html': 'not part of a package'
};
let folder = '';

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'tollgate-scorm-test-'));
	for (const [path, text] of Object.entries(build)) {
		mkdirSync(dirname(join(folder, 'static', path)), { recursive: true });
		writeFileSync(join(folder, 'static', path), text);
	}
});
afterAll(() => rmSync(folder, { recursive: true }));

const choices = { edition: 'SCORM 1.2', lessons: ['whole-trip', 'once-too-often'], title: 'A & B <i>' } as const;
const filesOf = (edition: ScormEdition = 'SCORM 1.2') =>
	new Map(scormFiles(join(folder, 'static'), { ...choices, edition }).map(({ path, text }) => [path, String(text)]));

test('has the lessons and what they share, and nothing else of the site', () => {
	expect([...filesOf().keys()]).toEqual([
		'imsmanifest.xml',
		'embed/lesson/whole-trip.html',
		'embed/lesson/once-too-often.html',
		'_app/a.woff2',
		'_app/assets/b.css',
		'_app/start.js',
		'service.css',
		'world.json'
	]);
});

test('works in any folder: no file names a base path, and the policy has the hashes of the scripts', () => {
	const files = filesOf();
	expect([...files.values()].join('')).not.toContain('__tollgate_base__');
	expect(files.get('_app/start.js')).toBe(
		'const d=[(globalThis.tollgateBase+"/_app/b.css")],e=(globalThis.tollgateBase+``);'
	);
	expect(files.get('_app/assets/b.css')).toContain('url(../../_app/a.woff2)');
	expect(files.get('service.css')).toContain('url(./_app/a.woff2)');
	const page = files.get('embed/lesson/whole-trip.html') ?? '';
	const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script = '']) => script);
	expect(scripts.at(-1)).toContain('import("../../_app/start.js")');
	expect(page).toContain(hashOf(scripts.at(-1) ?? ''));
	expect(page).toContain('<html lang="en" data-scorm="SCORM 1.2">');
	expect(page).toContain('<title>Authorization code flow</title>');
});

test.each<[ScormEdition, string, string]>([
	['SCORM 1.2', '1.2', '@_adlcp:scormtype'],
	['SCORM 2004', '2004 3rd Edition', '@_adlcp:scormType']
])('the manifest of %s names each file once, and each lesson is an item', (edition, version, type) => {
	const files = filesOf(edition);
	const text = files.get('imsmanifest.xml') ?? '';
	expect(XMLValidator.validate(text)).toBe(true);
	const list = ['item', 'resource', 'file'];
	const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => list.includes(name) });
	const { manifest } = parser.parse(text);
	expect(Object.keys(manifest).filter((name) => !name.startsWith('@_'))).toEqual([
		'metadata',
		'organizations',
		'resources'
	]);
	expect(manifest.metadata).toEqual({ schema: 'ADL SCORM', schemaversion: edition === 'SCORM 1.2' ? 1.2 : version });
	const { organization } = manifest.organizations;
	expect(manifest.organizations['@_default']).toBe(organization['@_identifier']);
	expect(organization.title).toBe(
		'A &amp; B &lt;i&gt;'.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
	);
	const resources = manifest.resources.resource;
	const ids = resources.map((resource: Record<string, string>) => resource['@_identifier']);
	expect(new Set(ids).size).toBe(ids.length);
	for (const item of organization.item) expect(ids).toContain(item['@_identifierref']);
	const named = resources.flatMap((resource: { file: Record<string, string>[] }) =>
		resource.file.map((file) => file['@_href'])
	);
	expect([...named].sort()).toEqual([...files.keys()].filter((path) => path !== 'imsmanifest.xml').sort());
	expect(resources.map((resource: Record<string, string>) => resource[type])).toEqual(['sco', 'sco', 'asset']);
	for (const resource of resources.slice(0, -1)) {
		expect(resource['@_href']).toBe(resource.file[0]['@_href']);
		expect(resource.dependency['@_identifierref']).toBe('shared');
	}
});

test('has the exercises of an instructor, checked and without notes', () => {
	const exercise = join(folder, 'exercise.json');
	writeFileSync(exercise, JSON.stringify(valid));
	const files = new Map(
		scormFiles(join(folder, 'static'), { ...choices, lessons: [exercise] }).map(({ path, text }) => [
			path,
			String(text)
		])
	);
	expect([...files.keys()].slice(0, 3)).toEqual([
		'imsmanifest.xml',
		'embed/lesson/own-call-our-api.html',
		'_app/lessons.json'
	]);
	expect(files.get('imsmanifest.xml')).toContain('<file href="_app/lessons.json"/>');
	expect(files.get('embed/lesson/own-call-our-api.html')).toContain('<title>Call our API</title>');
	const { notes: _, ...shown } = valid;
	expect(JSON.parse(files.get('_app/lessons.json') ?? '')).toEqual([shown]);
	writeFileSync(exercise, JSON.stringify({ ...valid, text: ['<script>'] }, undefined, '\t'));
	expect(() => scormFiles(join(folder, 'static'), { ...choices, lessons: [exercise] })).toThrow(
		'line 9, text.0: Write Markdown without HTML.'
	);
});

test('writes a compressed archive, and replaces no file', () => {
	const file = join(folder, 'course.zip');
	writeScorm(join(folder, 'static.br'), file, choices);
	expect([...unzip(readFileSync(file)).keys()]).toEqual([...filesOf().keys()]);
	expect(() => writeScorm(join(folder, 'static.br'), file, choices)).toThrow('exists. Choose another name');
});

test('says what is wrong: an unknown lesson, no static files, a folder that does not exist', () => {
	const to = join(folder, 'other.zip');
	expect(() => writeScorm(join(folder, 'static.br'), to, { ...choices, lessons: ['nope'] })).toThrow(
		/^There is no lesson nope\. The lessons are whole-trip, /
	);
	expect(() => writeScorm(join(folder, 'none.br'), to, choices)).toThrow('npm run build:static');
	expect(() => writeScorm(join(folder, 'static.br'), join(folder, 'no/x.zip'), choices)).toThrow(
		/^Cannot write .*ENOENT/
	);
});
