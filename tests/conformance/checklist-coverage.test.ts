import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const id = /\b(?:AZ|BR|CN|CO|EN|FA|HT|IN|PS|RF|RL|RM|RS|RV|SC|ST|TC|TK)-\d\d\b/g;

/** The ids that `checks.md` explains. */
const explained = [
	...readFileSync(join(import.meta.dirname, 'checks.md'), 'utf8').matchAll(/^\| (\w\w-\d\d) \|/gm)
].map(([, line]) => line);

/** The text of each source file below a folder, with its path. */
function sources(folder: string): { path: string; text: string }[] {
	return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && /\.(ts|js|svelte)$/.test(entry.name))
		.map((entry) => join(entry.parentPath, entry.name))
		.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

it('names every line of checks.md in a case or test', () => {
	const cases = sources('tests').filter(({ path }) => /\.(test|spec)\.ts$|conformance[/\\]cases[/\\]/.test(path));
	const names = cases.flatMap(
		({ text }) => text.match(/(?:\w+Case|it|test|sharedTest|describe)\(\s*(['"`]).*?\1/gs) ?? []
	);
	const named = new Set(names.join('\n').match(id));
	expect(explained.filter((line) => !named.has(line ?? ''))).toEqual([]);
});

it('explains every id that code and tests use', () => {
	const used = [...sources('src'), ...sources('tests')].flatMap(({ text }) => text.match(id) ?? []);
	expect([...new Set(used)].filter((line) => !explained.includes(line))).toEqual([]);
	expect(new Set(explained).size).toBe(explained.length);
});
