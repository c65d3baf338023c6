import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The files that `npm pack` would publish. */
function packedFiles(): string[] {
	const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
	const json = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
	return [...json.matchAll(/"path": "([^"]+)"/g)].map(([, path = '']) => path);
}

const files = packedFiles();
const library = files.filter((path) => path.startsWith('build/library/') && path.endsWith('.js'));

it('publishes the program, the pages, and the library with its types, and no source or map', () => {
	expect(files).toEqual(
		expect.arrayContaining([
			...['LICENSE', 'README.md', 'package.json', 'build/host/tollgate.js', 'build/kit/handler.js'],
			'build/static-template/index.html',
			'build/library/tollgate.js',
			'build/library/msw.js',
			'build/library/types/hosts/library/tollgate.d.ts',
			'build/library/types/hosts/library/msw.d.ts'
		])
	);
	expect(files.filter((path) => !/^(?:build\/(?:host|kit|library|static-template)\/|[^/]+$)/.test(path))).toEqual([]);
	expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
});

it('its library imports only MSW from other packages', () => {
	const imported = library.flatMap((path) => {
		const text = readFileSync(join(root, path), 'utf8');
		return [...text.matchAll(/^(?:import|export)\b.*? from "([^"]+)"/gm)].map(([, specifier = '']) => specifier);
	});
	expect(imported.filter((specifier) => !specifier.startsWith('.'))).toEqual(['msw']);
});

it('its library contains no part of the browser host', () => {
	expect(files.filter((path) => path.includes('hosts/browser'))).toEqual([]);
	for (const path of library) {
		expect(readFileSync(join(root, path), 'utf8'), path).not.toMatch(/indexedDB|CookieJar|serviceWorker/i);
	}
});
