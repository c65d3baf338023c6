import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Every file and command that the README names exists.
const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const scripts: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const files = [...readme.matchAll(/(?:`|\()((?:src|tests)\/[\w./-]+)(?:#[\w-]+)?[`)]/g)].map(([, path = '']) => path);
const commands = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);

test.each([...new Set(files)])('%s', (path) => {
	expect(existsSync(join(root, path))).toBe(true);
});

test.each([...new Set(commands)])('npm run %s', (name) => {
	expect(scripts).toHaveProperty(['scripts', name]);
});
