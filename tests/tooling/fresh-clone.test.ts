import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { companion, ensureBuilt } from '#tooling/ensure-build.js';

const root = join(import.meta.dirname, '../..');
const sources = ['package.json', 'tsconfig.json', 'svelte.config.js', 'vite.config.ts', 'src'];
let clone: string;

beforeAll(async () => {
	clone = await mkdtemp(join(tmpdir(), 'tollgate-clone-'));
	for (const name of sources) await cp(join(root, name), join(clone, name), { recursive: true });
	await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
});

afterAll(() => rm(clone, { recursive: true, force: true }));

test('what npm ci leaves behind is enough for a build other than that of the pages', async () => {
	// The script that npm itself runs after each installation of the project's packages.
	await promisify(execFile)('npm', ['run', '--if-present', 'prepare'], { cwd: clone });
	await ensureBuilt(clone, () => undefined, companion);
	expect(existsSync(join(clone, 'build/companion/main.js'))).toBe(true);
});
