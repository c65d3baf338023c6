import { readdirSync, readFileSync } from 'node:fs';
import { compile } from 'svelte/compiler';
import { describe, expect, test } from 'vitest';
import { expandUtilities, utilities } from '#tooling/utilities.js';

const filename = '/src/Part.svelte';

const { markup } = utilities();

/** The markup of a component as the compiler gets it. */
async function markupOf(content: string): Promise<string> {
	const processed = await markup?.({ content, filename });
	return processed?.code ?? content;
}

/** The style sheet of a component, as a page loads it. */
async function stylesOf(content: string): Promise<string> {
	const { css } = compile(await markupOf(content), { filename, cssHash: () => 's' });
	return (await expandUtilities(css?.code ?? '')).replaceAll(/\s+/g, ' ').trim();
}

describe('markup', () => {
	test('replaces utilities by one class of the component', async () => {
		expect(await markupOf('<p class="flex gap-2">a</p>')).toBe(
			'<p class="u0">a</p><style>.u0{@apply flex gap-2;}</style>'
		);
	});

	test('keeps other classes, also those that the component styles itself', async () => {
		expect(await markupOf('<p class="hint table flex">a</p><style>.table { top: 0; }</style>')).toContain(
			'<p class="hint table u0">'
		);
	});

	test('shares a class between elements that have the same utilities', async () => {
		expect(await markupOf('<i class="flex">a</i><b class="flex">b</b>')).toContain('<i class="u0">a</i><b class="u0">');
	});

	test('reads lists, objects, conditions and tables', async () => {
		const code = await markupOf(
			"<p class={['flex', isOpen && 'hidden', { grid: isWide }, isOk ? 'text-ok' : undefined, { a: 'text-error' }[tone]]}>a</p>"
		);
		expect(code).toContain(
			"<p class={['u0', isOpen && 'u1', { u2: isWide }, isOk ? 'u3' : undefined, { a: 'u4' }[tone]]}>"
		);
	});

	test('finds no misspelled utility in the components', async () => {
		const read = (folder: string, end: string) =>
			readdirSync(folder, { recursive: true, encoding: 'utf8' })
				.filter((name) => name.endsWith(end))
				.map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
		const [sources, sheets] = [read('src', '.svelte'), read('src/ui/styles', '.css')];
		// What a rule of any component or sheet names is a class.
		const styled = new Set([...sources, ...sheets].join('\n').match(/(?<=\.)[a-z][\w-]*/g));
		const codes = await Promise.all(sources.map(markupOf));
		const words = codes.flatMap((code) =>
			[...code.matchAll(/\sclass="([^"{}]*)"/g)].flatMap(([, text = '']) => text.split(/\s+/))
		);
		expect(words.length).toBeGreaterThan(1000);
		expect(words.filter((word) => /[-:[]/.test(word) && !styled.has(word))).toEqual([]);
	});

	test('leaves strings alone that are no classes', async () => {
		const code = '<p class={{ open: kind === \'hidden\' }} title="flex">a</p>';
		expect(await markupOf(code)).toBe(code);
	});

	test('leaves a component without utilities as it is', async () => {
		const code = '<p class="hint">a</p>';
		expect(await markupOf(code)).toBe(code);
	});
});

describe('style sheet', () => {
	test('has the tokens of the product, in classes of the component', async () => {
		expect(await stylesOf('<p class="text-sm text-muted">a</p>')).toBe(
			'.u0.s { font-size: var(--size-sm); color: var(--fg-muted); }'
		);
	});

	test('puts variants last, so that they win over what comes later in the list', async () => {
		expect(await stylesOf("<p class={['max-md:hidden', { flex: isOpen }]}>a</p>")).toBe(
			'.u1.s { display: flex; } @media (width < 48rem) { .u0.s { display: none; } }'
		);
	});

	test('sees no variant in the colon of a value', async () => {
		expect(await markupOf('<p class="outline-(length:--stroke-focus) [--icon:1rem]">a</p>')).toContain(
			'.u0{@apply outline-(length:--stroke-focus) [--icon:1rem];}'
		);
	});

	test('lets a later class win over an earlier one', async () => {
		expect(await stylesOf("<p class={['text-muted', { 'text-ok': isDone }]}>a</p>")).toBe(
			'.u0.s { color: var(--fg-muted); } .u1.s { color: var(--ok-fg); }'
		);
	});

	test('styles the icons in an element', async () => {
		expect(await stylesOf('<p class="svg:text-ok">a</p>')).toBe('.u0.s > svg { color: var(--ok-fg); }');
	});

	test('is as short as one that is written by hand', async () => {
		expect(await stylesOf('<p class="px-2 py-1 border border-muted">a</p><b class="border-t border-ok">b</b>')).toBe(
			'.u0.s { border: 1px solid var(--border-muted); padding: 0.25rem calc(0.25rem * 2); } .u1.s { border-top: 1px solid var(--ok-border); }'
		);
	});

	test('keeps the color of each side of a border', async () => {
		expect(await stylesOf('<p class="border border-error border-t-0">a</p>')).toContain(
			'border-color: var(--error-border);'
		);
		expect(await stylesOf('<p class="border-t border-b border-muted">a</p>')).toContain(
			'border-color: var(--border-muted);'
		);
	});

	test('has no variables of Tailwind', async () => {
		expect(await stylesOf('<p class="border border-dashed font-medium leading-5">a</p>')).not.toContain('--tw-');
	});

	test('rejects a utility that would need them', async () => {
		await expect(stylesOf('<p class="translate-x-1">a</p>')).rejects.toThrow(/translate/);
	});
});
