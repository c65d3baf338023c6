import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writePackage } from '#tooling/package-folder.js';
import { temporaryFolder } from '../hosts/temporary-folder.ts';

const about = {
	name: 'tollgate',
	version: '1.2.3',
	private: true,
	type: 'module',
	engines: { node: '>=20' },
	exports: './build/library/tollgate.js',
	bin: 'build/host/tollgate.js',
	dependencies: { 'classic-level': '3' },
	scripts: { prepare: 'svelte-kit sync' },
	devDependencies: { vite: '8' },
	imports: { '#a/*': './src/a/*' },
	overrides: { rollup: '4' }
};

async function project(): Promise<string> {
	const root = await temporaryFolder();
	for (const name of ['README.md', 'LICENSE']) await writeFile(join(root, name), name);
	await writeFile(join(root, 'package.json'), JSON.stringify(about));
	for (const part of ['host', 'kit', 'kit/server', 'library', 'static-template', 'cli']) {
		await mkdir(join(root, 'build', part), { recursive: true });
		for (const name of ['main.js', 'main.js.map', 'main.js.gz']) await writeFile(join(root, 'build', part, name), name);
	}
	return root;
}

test('the package has the builds for its users, and no source maps or copies for gzip', async () => {
	const root = await project();
	writePackage(root, join(root, 'build/package'));
	const files = await readdir(join(root, 'build/package'), { recursive: true });
	expect(new Set(files.filter((name) => /\.\w+$|LICENSE/.test(name)))).toEqual(
		new Set([
			'package.json',
			'README.md',
			'LICENSE',
			'build/static-template.br',
			...['host', 'kit', 'kit/server', 'library'].map((part) => join('build', part, 'main.js'))
		])
	);
});

test('a page file that has a Brotli form has no other', async () => {
	const root = await project();
	const immutable = 'build/kit/client/_app/immutable';
	await mkdir(join(root, immutable), { recursive: true });
	for (const name of ['a.js', 'a.js.br', 'a.js.gz', 'font.woff2']) await writeFile(join(root, immutable, name), name);
	writePackage(root, join(root, 'build/package'));
	expect(await readdir(join(root, 'build/package', immutable))).toEqual(['a.js.br', 'font.woff2']);
});

test('its package.json has no script and nothing else of the development, and the one of the project stays', async () => {
	const root = await project();
	writePackage(root, join(root, 'build/package'));
	const { scripts: _, devDependencies: __, imports: ___, overrides: ____, ...published } = about;
	expect(JSON.parse(await readFile(join(root, 'build/package/package.json'), 'utf8'))).toEqual(published);
	expect(JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))).toEqual(about);
});

test('files of an earlier build are deleted', async () => {
	const root = await project();
	const folder = join(root, 'build/package');
	await mkdir(join(folder, 'build/host'), { recursive: true });
	await writeFile(join(folder, 'build/host/old.js'), '');
	writePackage(root, folder);
	expect(await readdir(join(folder, 'build/host'))).toEqual(['main.js']);
});
