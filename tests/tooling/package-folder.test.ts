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
	dependencies: { 'classic-level': '3', vite: '8' },
	scripts: { prepare: 'svelte-kit sync' },
	devDependencies: { vitest: '4' },
	imports: { '#a/*': './src/a/*' },
	overrides: { rollup: '4' }
};

const immutable = 'kit/client/_app/immutable';

async function project(): Promise<string> {
	const root = await temporaryFolder();
	for (const name of ['README.md', 'LICENSE']) await writeFile(join(root, name), name);
	await writeFile(join(root, 'package.json'), JSON.stringify(about));
	for (const part of ['host', 'kit', 'kit/server', immutable, 'library', 'static-template', 'cli']) {
		await mkdir(join(root, 'build', part), { recursive: true });
		await writeFile(join(root, 'build', part, 'main.js'), 'main');
	}
	await writeFile(join(root, 'build', immutable, 'main.js.br'), 'br');
	return root;
}

test('the package has the builds for its users, and the files of pages in Brotli only', async () => {
	const root = await project();
	writePackage(root, join(root, 'build/package'));
	const files = await readdir(join(root, 'build/package'), { recursive: true });
	expect(new Set(files.filter((name) => /\.\w+$|LICENSE/.test(name)))).toEqual(
		new Set([
			'package.json',
			'README.md',
			'LICENSE',
			'build/static-template.br',
			join('build', immutable, 'main.js.br'),
			...['host', 'kit', 'kit/server', 'library'].map((part) => join('build', part, 'main.js'))
		])
	);
});

test('its package.json has no script and nothing else of the development, and the one of the project stays', async () => {
	const root = await project();
	writePackage(root, join(root, 'build/package'));
	const { scripts: _, devDependencies: __, imports: ___, overrides: ____, ...published } = about;
	const dependencies = { 'classic-level': '3' };
	expect(JSON.parse(await readFile(join(root, 'build/package/package.json'), 'utf8'))).toEqual({
		...published,
		dependencies
	});
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
