import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

// Every file and command that these texts name exists.
const root = join(import.meta.dirname, '..');
const scripts: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const texts = [
	'README.md',
	'CHANGELOG.md',
	'.github/CONTRIBUTING.md',
	'.github/SECURITY.md',
	'.github/pull_request_template.md'
];

describe.each(texts)('%s', (name) => {
	const text = readFileSync(join(root, name), 'utf8');

	test('names files that exist', () => {
		const named = [...text.matchAll(/`((?:src|tests)\/[\w./-]+)`/g)].map(([, path = '']) => path);
		const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[\w-]+)?\)/g)].map(([, path = '']) => path);
		const paths = [...named, ...linked.map((path) => join(dirname(name), path))];
		expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});

	test('names commands that exist', () => {
		for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g)) {
			expect(scripts).toHaveProperty(['scripts', script]);
		}
	});
});

test('the README has at most 150 lines', () => {
	expect(readFileSync(join(root, 'README.md'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});
