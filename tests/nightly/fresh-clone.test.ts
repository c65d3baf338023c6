import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli, ensureBuilt } from '#tooling/ensure-build.js';

const root = join(import.meta.dirname, '../..');
const sources = ['package.json', 'tsconfig.json', 'svelte.config.js', 'vite.config.ts', 'src'];
let clone: string;

beforeAll(async () => {
	clone = await mkdtemp(join(tmpdir(), 'tollgate-clone-'));
	for (const name of sources) await cp(join(root, name), join(clone, name), { recursive: true });
	await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
});

afterAll(() => rm(clone, { recursive: true, force: true }));

test('builds the command-line client after npm ci --ignore-scripts, without the pages', async () => {
	await ensureBuilt(clone, () => undefined, cli);
	expect(existsSync(join(clone, 'build/cli/main.js'))).toBe(true);
});
