import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const src = join(import.meta.dirname, '../src');

/** The files of `src` that each file imports; types count, since they tie files together too. */
function readImports(): Map<string, string[]> {
	const files = readdirSync(src, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && /\.(ts|js|svelte)$/.test(entry.name))
		.map((entry) => join(entry.parentPath, entry.name));
	return new Map(files.map((file) => [relative(src, file), importsOf(file)]));
}

function importsOf(file: string): string[] {
	const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([.#][^'?]*)/g);
	return [...specifiers].map(([, specifier = '']) =>
		specifier.startsWith('#') ? specifier.slice(1) : relative(src, join(dirname(file), specifier))
	);
}

/** One cycle as a path that ends where it begins, or undefined. */
function findCycle(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
	const done = new Set<string>();
	function visit(file: string, path: readonly string[]): string[] | undefined {
		if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
		if (done.has(file)) return undefined;
		for (const imported of imports.get(file) ?? []) {
			const cycle = visit(imported, [...path, file]);
			if (cycle !== undefined) return cycle;
		}
		done.add(file);
		return undefined;
	}
	for (const file of imports.keys()) {
		const cycle = visit(file, []);
		if (cycle !== undefined) return cycle;
	}
	return undefined;
}

it('finds no import cycle in src', () => {
	const imports = readImports();
	expect(imports.get('service/assemble-service.ts')).toContain('service/core/routes.ts');
	expect(imports.get('service/assemble-service.ts')).toContain('api/message.ts');
	expect(findCycle(imports)).toBeUndefined();
});

it('finds a cycle behind an import', () => {
	const cycle = findCycle(new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b', 'd'], d: [] })));
	expect(cycle).toEqual(['b', 'c', 'b']);
});
