import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packFolder } from '#tooling/folder-archive.js';
import { writeStaticSite } from '#tooling/program/static-site.ts';
import { basePlaceholder, headPlaceholder } from '#tooling/write-static.js';
import { valid } from '../evidence/lesson-file/files.ts';
import { temporaryFolder } from '../hosts/temporary-folder.ts';

const script = `start({ base: "${basePlaceholder}" })`;
const policy = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** A build of one page, and a folder to write to. */
async function folders() {
	const folder = await temporaryFolder();
	const [template, site] = [join(folder, 'template'), join(folder, 'site')];
	await mkdir(template);
	await writeFile(
		join(template, 'index.html'),
		`<meta content="script-src '${policy(script)}'"><script>${script}</script><link href="${basePlaceholder}/a.css">`
	);
	await writeFile(join(template, 'llms.txt'), `- [API](${basePlaceholder}/docs/api/): of Tollgate`);
	await writeFile(join(template, 'skill.md'), `Test with Tollgate at ${basePlaceholder}/docs/.`);
	await writeFile(join(template, 'openapi.json'), '{"title":"Tollgate","example":"Mara Vell"}');
	return { folder, template, site };
}

/** Packs the build as the package does, and writes its files. */
function writeSite(template: string, site: string, base: string, world?: string, lessons?: readonly string[]): void {
	const archive = `${template}.br`;
	writeFileSync(archive, packFolder(template));
	writeStaticSite(archive, site, base, world, lessons);
}

test('files of every kind and folder arrive as they were', async () => {
	const { template, site } = await folders();
	const bytes = Uint8Array.from({ length: 256 }, (_, value) => value);
	await mkdir(join(template, 'a/b'), { recursive: true });
	await writeFile(join(template, 'a/b/bytes.bin'), bytes);
	await writeFile(join(template, 'empty.txt'), '');
	writeSite(template, site, '/');
	expect(new Uint8Array(await readFile(join(site, 'a/b/bytes.bin')))).toEqual(bytes);
	expect(await readFile(join(site, 'empty.txt'), 'utf8')).toBe('');
});

test('has the exercises of an instructor without notes, or an empty list', async () => {
	const { folder, template, site } = await folders();
	const exercise = join(folder, 'exercise.json');
	await writeFile(exercise, JSON.stringify({ ...valid, id: 'Wrong' }));
	expect(() => writeSite(template, site, '/', undefined, [exercise])).toThrow('id: Use 1 to 30');
	await writeFile(exercise, JSON.stringify(valid));
	const read = async () => JSON.parse(await readFile(join(site, '_app/lessons.json'), 'utf8'));
	writeSite(template, site, '/', undefined, [exercise]);
	const { notes: _, ...shown } = valid;
	expect(await read()).toEqual([shown]);
	await rm(site, { recursive: true });
	writeSite(template, site, '/');
	expect(await read()).toEqual([]);
});

test.each([
	['/', ''],
	['demo', '/demo'],
	['/a/b-c/', '/a/b-c'],
	['https://demo.example', ''],
	['https://demo.example/demo/', '/demo']
])('writes pages for the base path %s, whose policy allows their scripts', async (base, path) => {
	const { template, site } = await folders();
	writeSite(template, site, base);
	const rebased = `start({ base: "${path}" })`;
	expect(await readFile(join(site, 'index.html'), 'utf8')).toBe(
		`<meta content="script-src '${policy(rebased)}'"><script>${rebased}</script><link href="${path}/a.css">`
	);
	expect(await readFile(join(site, 'llms.txt'), 'utf8')).toBe(`- [API](${path}/docs/api/): of Tollgate`);
});

test.each(['/../x', '/a b', '/"x', 'ftp://a.example/', 'https://a b/'])('rejects the base path %s', async (base) => {
	const { template, site } = await folders();
	expect(() => writeSite(template, site, base)).toThrow('The base path is');
});

test('writes into no folder that has files', async () => {
	const { template, folder } = await folders();
	expect(() => writeSite(template, folder, '/')).toThrow('has files');
	expect(await readdir(folder)).toEqual(['template', 'template.br']);
});

test('writes a world file beside the pages, and nothing where it is invalid', async () => {
	const { template, folder, site } = await folders();
	const file = join(folder, 'world.json');
	await writeFile(file, '{"format":"tollgate-world","version":1,"brand":{"name":""}}');
	expect(() => writeSite(template, site, '/', file)).toThrow(/world\.json is invalid\. brand\.name/);
	expect(await readdir(folder)).not.toContain('site');
	const world = '{"format":"tollgate-world","version":1,"brand":{"name":"Star Atlas"}}';
	await writeFile(file, world);
	await writeFile(join(template, 'manifest.webmanifest'), '{ "name": "Tollgate", "start_url": "./" }');
	writeSite(template, site, '/', file);
	expect(JSON.parse(await readFile(join(site, 'world.json'), 'utf8'))).toEqual(JSON.parse(world));
});

test('pages without content are titled before scripts run, and so is the preview of a link to them', async () => {
	const { template, site } = await folders();
	await writeFile(join(template, 'index.html'), `<head>${headPlaceholder}</head>`);
	writeSite(template, site, '/demo');
	const page = await readFile(join(site, 'index.html'), 'utf8');
	expect(page).toContain('<title>Tollgate</title>');
	expect(page).toContain('<link rel="icon" href="/demo/favicon.svg">');
	expect(page).toContain('<meta property="og:title" content="Tollgate">');
});

test('previews of links have the picture of the world, where the site knows its URL', async () => {
	const { template, folder, site } = await folders();
	await writeFile(join(template, 'index.html'), `<head>${headPlaceholder}</head>`);
	await writeFile(join(template, 'manifest.webmanifest'), '{}');
	const png = Buffer.from('89504e470d0a1a0a', 'hex');
	await writeFile(join(folder, 'preview.png'), png);
	const file = join(folder, 'world.json');
	const brand = { name: 'Star Atlas', picture: 'preview.png' };
	await writeFile(file, JSON.stringify({ format: 'tollgate-world', version: 1, brand }));
	writeSite(template, site, 'https://demo.example/demo', file);
	const page = await readFile(join(site, 'index.html'), 'utf8');
	expect(page).toContain('<meta property="og:image" content="https://demo.example/demo/picture.png">');
	expect(page).toContain('<meta name="twitter:card" content="summary_large_image">');
	expect(await readFile(join(site, 'picture.png'))).toEqual(png);
	expect(await readFile(join(site, 'world.json'), 'utf8')).not.toContain('picture');
	const other = `${site}-2`;
	writeSite(template, other, '/demo', file);
	expect(await readFile(join(other, 'index.html'), 'utf8')).not.toContain('og:image');
});

test('a site with a world has its brand in everything that is read before scripts run', async () => {
	const { template, folder, site } = await folders();
	await mkdir(join(template, 'docs/api'), { recursive: true });
	await writeFile(join(template, 'index.html'), `<head>${headPlaceholder}</head>`);
	await writeFile(join(template, 'docs/api/index.html'), '<title>API · Tollgate docs</title>');
	await writeFile(join(template, 'manifest.webmanifest'), '{ "name": "Tollgate", "start_url": "./" }');
	const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
	await writeFile(join(folder, 'logo.svg'), svg);
	const brand = { name: 'Rook & "Co"', tagline: 'Ships < trains', logo: { light: 'logo.svg' } };
	const accounts = [{ username: 'ada' }];
	const characters = [{ name: 'Ever Given', player: 'ada' }];
	const file = join(folder, 'world.json');
	await writeFile(file, JSON.stringify({ format: 'tollgate-world', version: 1, brand, accounts, characters }));
	writeSite(template, site, '/', file);
	const page = await readFile(join(site, 'index.html'), 'utf8');
	expect(page).toContain('<title>Rook &amp; &quot;Co&quot;</title>');
	expect(page).toContain('<meta property="og:description" content="Ships &lt; trains">');
	expect(page).toMatch(/<link rel="icon" href="data:image\/svg\+xml/);
	expect(await readFile(join(site, 'docs/api/index.html'), 'utf8')).toBe(page);
	expect(JSON.parse(await readFile(join(site, 'manifest.webmanifest'), 'utf8'))).toEqual({
		name: brand.name,
		short_name: brand.name,
		description: brand.tagline,
		start_url: './',
		icons: [{ src: expect.stringMatching(/^data:image\/svg\+xml/), sizes: 'any' }]
	});
	expect(page).not.toContain('Tollgate');
	expect(await readFile(join(site, 'llms.txt'), 'utf8')).toBe('- [API](/docs/api/): of Rook & "Co"');
	expect(await readFile(join(site, 'skill.md'), 'utf8')).toBe('Test with Rook & "Co" at /docs/.');
	expect(JSON.parse(await readFile(join(site, 'openapi.json'), 'utf8'))).toEqual({
		title: brand.name,
		example: 'Ever Given'
	});
});

test('a copy without the static files says how to build them', async () => {
	const { template, site } = await folders();
	expect(() => writeStaticSite(`${template}.br`, site, '/')).toThrow(/^The static files are part of the npm package/);
	expect(() => writeStaticSite(`${template}.br`, site, '/')).toThrow('npm run build:static');
});
