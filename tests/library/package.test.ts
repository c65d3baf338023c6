import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writePackage } from '#tooling/package-folder.js';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-package-'));
const cache = mkdtempSync(join(tmpdir(), 'tollgate-npm-'));

/** The files that `npm run package` packs. */
function packedFiles(): string[] {
	writePackage(root, folder);
	const args = ['pack', '--dry-run', '--json'];
	// npm's cache is in HOME, which may be read-only.
	const env = { ...process.env, npm_config_cache: cache };
	const json = execFileSync('npm', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
	return [...json.matchAll(/"path": "([^"]+)"/g)].map(([, path = '']) => path);
}

const files = packedFiles();
afterAll(() => [folder, cache].forEach((path) => rmSync(path, { recursive: true })));

const library = files.filter((path) => path.startsWith('build/library/') && path.endsWith('.js'));

it('publishes the program, the pages, and the library with its types, and no source or map', () => {
	expect(files).toEqual(
		expect.arrayContaining([
			'LICENSE',
			'README.md',
			'package.json',
			'build/host/tollgate.js',
			'build/kit/server.js',
			'build/static-template.br',
			'build/library/tollgate.js',
			'build/library/msw.js',
			'build/library/playwright.js',
			'build/library/exam.js',
			'build/library/types/hosts/library/tollgate.d.ts',
			'build/library/types/hosts/library/msw.d.ts',
			'build/library/types/hosts/library/playwright.d.ts',
			'build/library/types/hosts/library/exam.d.ts'
		])
	);
	expect(
		files.filter((path) => !/^(?:build\/(?:host|kit|library)\/|build\/static-template\.br$|[^/]+$)/.test(path))
	).toEqual([]);
	expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
});

it.each(['--help', 'help exam', 'companion --help'])(
	'its program ends without an error where nothing reads what it prints: %s',
	(command) => {
		const program = join(root, 'build/host/tollgate.js');
		// The reader has closed its end before the program starts.
		const script = `{ sleep 0.5; exec "${process.execPath}" "${program}" ${command}; } | exec true`;
		const { stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8', cwd: folder });
		expect(stderr).not.toMatch(/EPIPE|node:/);
	}
);

it('its library imports only MSW from other packages', () => {
	const imported = library.flatMap((path) => {
		const text = readFileSync(join(folder, path), 'utf8');
		return [...text.matchAll(/^(?:import|export)\b.*? from "([^"]+)"/gm)].map(([, specifier = '']) => specifier);
	});
	expect(imported.filter((specifier) => !specifier.startsWith('.'))).toEqual(['msw']);
});

it('its types import only MSW and Playwright from other packages', () => {
	const types = files.filter((path) => path.endsWith('.d.ts'));
	const imported = types.flatMap((path) => {
		const text = readFileSync(join(folder, path), 'utf8');
		return [...text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)].map(([, specifier = '']) => specifier);
	});
	expect(imported.filter((specifier) => !/^(?:\.|tollgate)/.test(specifier)).toSorted()).toEqual([
		'@playwright/test',
		'msw'
	]);
});

it('its library contains no part of the browser host', () => {
	expect(files.filter((path) => path.includes('hosts/browser'))).toEqual([]);
	for (const path of library) {
		expect(readFileSync(join(folder, path), 'utf8'), path).not.toMatch(/indexedDB|skipWaiting|serviceWorker/i);
	}
});
