import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, test } from 'vitest';

// The rules that need types look at files on disk; those of the house need the name and the text alone.
const eslint = new ESLint({
	overrideConfig: [
		tseslint.configs.disableTypeChecked,
		{ languageOptions: { parserOptions: { projectService: false } } }
	]
});

/** The rules that a text breaks when it stands at a path. */
async function broken(path: string, text: string): Promise<(string | null)[]> {
	const [result] = await eslint.lintText(`${text}\n`, { filePath: path });
	return [...new Set(result?.messages.map((message) => message.ruleId))];
}

const unknown = (specifier: string): string => `import { x } from '${specifier}';\nexport const y = x;`;

describe('imports point down', () => {
	const layers = ['wire', 'store', 'service', 'hosts', 'client', 'ui', 'lessons', 'routes'];
	const pairs = layers.flatMap((from, rank) => layers.map((to, other) => ({ from, to, down: other < rank })));

	test.each(pairs.filter(({ from, to }) => from !== to && from !== 'client'))(
		'$from to $to: $down',
		async ({ from, to, down }) => {
			const rules = down ? [] : ['no-restricted-imports'];
			expect(await broken(`src/${from}/made-up.ts`, unknown(`#${to}/thing.ts`))).toEqual(rules);
		}
	);

	test.each(layers.filter((to) => to !== 'client'))('client to %s', async (to) => {
		const rules = to === 'wire' ? [] : ['no-restricted-imports'];
		expect(await broken('src/client/made-up.ts', unknown(`#${to}/thing.ts`))).toEqual(rules);
	});

	test.each([
		['src/client/oauth/a.ts', './b.ts', true],
		['src/client/oauth/a.ts', 'oauth4webapi', true],
		['src/client/oauth/a.ts', '../rate-limit/b.ts', false],
		['src/client/oauth/a.ts', '#wire/redact.ts', false],
		['src/client/oauth/a.ts', 'valibot', false],
		['src/client/rate-limit/a.ts', './b.ts', true],
		['src/client/rate-limit/a.ts', '../oauth/b.ts', true],
		['src/client/rate-limit/a.ts', '../http.ts', false]
	])('the copyable client core: %s may import %s: %s', async (path, specifier, isAllowed) => {
		expect(await broken(path, unknown(specifier))).toEqual(isAllowed ? [] : ['no-restricted-imports']);
	});

	test.each([
		['src/service/a.ts', "export const load = () => import('#ui/thing.ts');", 'no-restricted-syntax'],
		['src/service/a.ts', "export * from '#client/thing.ts';", 'no-restricted-imports'],
		['src/service/a.ts', "import type { x } from '#hosts/thing.ts';\nexport type y = x;", 'no-restricted-imports'],
		['src/lessons/a.ts', unknown('#workshop/thing.ts'), 'no-restricted-imports'],
		['src/workshop/a.ts', unknown('#lessons/thing.ts'), 'no-restricted-imports'],
		['src/service/a.ts', unknown('#service/thing.ts'), 'no-restricted-imports'],
		['src/service/a.ts', unknown('../store/thing.ts'), 'no-restricted-imports'],
		['src/hosts/node/a.ts', unknown('../../store/thing.ts'), 'no-restricted-imports'],
		['src/service/a.ts', unknown('./thing'), 'no-restricted-imports'],
		['src/service/a.ts', unknown('#wire/thing'), 'no-restricted-imports'],
		['src/ui/a.ts', unknown('$lib/thing.ts'), 'no-restricted-imports'],
		['src/ui/a.ts', unknown('$app/state'), 'no-restricted-imports'],
		['src/client/a.ts', unknown('$env/dynamic/public'), 'no-restricted-imports'],
		['src/hosts/node/a.ts', unknown('../kit/thing.ts'), 'no-restricted-imports'],
		['src/hosts/kit/a.ts', unknown('../browser/thing.ts'), 'no-restricted-imports'],
		['src/hosts/browser/a.ts', unknown('../node/thing.ts'), 'no-restricted-imports'],
		['src/hosts/browser/a.ts', unknown('node:fs'), 'no-restricted-imports'],
		['src/ui/a.ts', unknown('node:fs'), 'no-restricted-imports'],
		['src/routes/viewer/+page.ts', unknown('node:fs'), 'no-restricted-imports']
	])('%s refuses %s', async (path, text, rule) => {
		expect(await broken(path, text)).toEqual([rule]);
	});

	test.each([
		['src/service/a.ts', unknown('./thing.ts')],
		['src/service/pages/a.ts', unknown('../thing.ts')],
		['src/service/a.ts', "export const load = () => import('#store/thing.ts');"],
		['src/hosts/node/a.ts', unknown('node:https')],
		['src/ui/a.ts', unknown('@lucide/svelte/icons/play')],
		['src/ui/a.ts', unknown('./state/noun.svelte.ts')],
		['src/routes/+server.ts', unknown('node:fs')],
		['src/routes/+layout.ts', unknown('$app/environment')],
		['src/routes/+layout.ts', unknown('./$types')],
		['src/hooks.server.ts', unknown('#hosts/kit/thing.ts')],
		['tests/service/a.test.ts', unknown('../../src/service/thing.ts')]
	])('%s accepts %s', async (path, text) => {
		expect(await broken(path, text)).toEqual([]);
	});
});

describe('the lower layers know no host', () => {
	const wrongs = [
		['Date.now()', 'no-restricted-properties'],
		['Math.random()', 'no-restricted-properties'],
		['new Date()', 'no-restricted-syntax'],
		['Date()', 'no-restricted-syntax'],
		...['window', 'document', 'localStorage', 'crypto', 'performance', 'process', 'Buffer', 'fetch', 'setTimeout'].map(
			(name) => [name, 'no-restricted-globals']
		)
	] as const;

	test.each(['wire', 'store', 'service'].flatMap((layer) => wrongs.map(([code, rule]) => ({ layer, code, rule }))))(
		'$layer: $code',
		async ({ layer, code, rule }) => {
			expect(await broken(`src/${layer}/a.ts`, `export const x = ${code};`)).toEqual([rule]);
		}
	);

	test.each(['node:crypto', 'svelte', 'svelte/store', '@sveltejs/kit', 'msw'])('no %s', async (specifier) => {
		expect(await broken('src/service/a.ts', unknown(specifier))).toEqual(['no-restricted-imports']);
	});

	test('what is theirs stays allowed, and the layers above may do more', async () => {
		const code = 'export const x = (now: number) => new Date(now).toUTCString();';
		expect(await broken('src/service/a.ts', code)).toEqual([]);
		expect(await broken('src/hosts/node/a.ts', 'export const x = () => Date.now();')).toEqual([]);
		expect(await broken('src/client/a.ts', "export const x = () => fetch('/ws');")).toEqual([]);
	});
});

describe('types are not talked away', () => {
	test.each([
		['export const x: any = 1;', '@typescript-eslint/no-explicit-any'],
		['export const x = (y: unknown) => y as string;', '@typescript-eslint/consistent-type-assertions'],
		['export const x = (y: unknown) => <string>y;', '@typescript-eslint/consistent-type-assertions'],
		['export const x = (y?: string) => y!.length;', '@typescript-eslint/no-non-null-assertion'],
		['// @ts-ignore\nexport const x = 1;', '@typescript-eslint/ban-ts-comment'],
		['// @ts-nocheck\nexport const x = 1;', '@typescript-eslint/ban-ts-comment'],
		['export const x = 1 == 1;', 'eqeqeq']
	])('%s', async (code, rule) => {
		expect(await broken('src/service/a.ts', code)).toContain(rule);
		expect(await broken('tests/service/a.test.ts', code)).toContain(rule);
	});

	test('as const is no assertion', async () => {
		expect(await broken('src/service/a.ts', "export const x = ['a'] as const;")).toEqual([]);
	});
});

describe('names, sizes, pages and tests', () => {
	test.each([
		['src/service/camelCase.ts', false],
		['src/service/kebab-case.ts', true],
		['src/hosts/node/tls.server.ts', true],
		['src/client/noun.svelte.ts', true],
		['src/routes/viewer/+page.server.ts', true],
		['src/routes/viewer/+server.ts', true],
		['tests/service/token.test.ts', true],
		['tests/e2e/main-path.spec.ts', true],
		['src/service/Token.ts', false]
	])('%s: %s', async (path, good) => {
		expect(await broken(path, 'export const x = 1;')).toEqual(good ? [] : ['house/file-names']);
	});

	test.each([
		['src/ui/StatusBar.svelte', true],
		['src/routes/+page.svelte', true],
		['src/routes/+layout@.svelte', true],
		['src/ui/statusBar.svelte', false],
		['src/ui/status-bar.svelte', false]
	])('%s: %s', async (path, good) => {
		expect(await broken(path, '<p>Text</p>')).toEqual(good ? [] : ['house/file-names']);
	});

	test('300 lines and not one more', async () => {
		expect(await broken('src/service/a.ts', 'export {};\n'.repeat(299))).toEqual([]);
		expect(await broken('src/service/a.ts', 'export {};\n'.repeat(301))).toEqual(['max-lines']);
	});

	test('no markup from strings', async () => {
		const page = `<script lang="ts">let { text }: { text: string } = $props();</script>\n{@html text}`;
		expect(await broken('src/ui/Page.svelte', page)).toEqual(['svelte/no-at-html-tags']);
	});

	test.each(['test.only', 'describe.skip', 'it.todo', 'page.waitForTimeout'])('no %s', async (call) => {
		expect(await broken('tests/a.test.ts', `${call}('x');`)).toEqual(['no-restricted-syntax']);
	});
});
