import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** How many lines each group of hostile and odd input has; a case or test names those that it shows. */
const groups = { AZ: 11, SC: 11, CO: 7, TK: 10, RF: 4, RV: 4, RS: 5, RL: 10, EN: 4, HT: 14, RM: 7, BR: 7 };

it('every line of every group is named by a case or a test', () => {
	const tests = join(dirname(fileURLToPath(import.meta.url)), '..');
	const files = readdirSync(tests, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const paths = files.map((file) => join(file.parentPath, file.name));
	const holding = paths.filter((path) => /\.(test|spec)\.ts$|conformance[/\\]cases[/\\][\w-]+\.ts$/.test(path));
	const names = holding.flatMap((path) => {
		const text = readFileSync(path, 'utf8');
		return text.match(/(?:shows|it|test)\(\s*(['"`]).*?\1/gs) ?? [];
	});
	const named = names.join('\n');
	const missing = Object.entries(groups).flatMap(([group, count]) =>
		Array.from({ length: count }, (_, at) => `${group}-${String(at + 1).padStart(2, '0')}`).filter(
			(line) => !named.includes(line)
		)
	);
	expect(missing).toEqual([]);
});
