import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const eslint = new ESLint();

type Sample = [path: string, text: string, rule?: string];

const keyOf = ([path, text]: Sample): string => `${path}\n${text}`;

/** The rules that each module breaks at its path, by one process of oxlint. */
async function lintModules(samples: readonly Sample[]): Promise<Map<string, string[]>> {
	const folder = mkdtempSync(join(tmpdir(), 'tollgate-lint-'));
	const config = pathToFileURL(join(root, 'oxlint.config.js')).href;
	// Several modules have the same path.
	const files = samples.map(([path], index) => path.replace('/a.', `/a${String(index)}.`));
	try {
		// Patterns of paths are relative to the configuration.
		writeFileSync(join(folder, 'oxlint.config.mjs'), `export { default } from '${config}';\n`);
		for (const [index, [, text]] of samples.entries()) {
			const file = join(folder, files[index] ?? '');
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, `${text}\n`);
		}
		const { diagnostics } = await runOxlint(folder);
		const brokenIn = (file: string | undefined): string[] =>
			diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code);
		return new Map(samples.map((sample, index) => [keyOf(sample), brokenIn(files[index])]));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function runOxlint(folder: string): Promise<{ diagnostics: { code: string; filename: string }[] }> {
	const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
	const args = [oxlint, '--config', 'oxlint.config.mjs', '--format', 'json', 'src', 'tests'];
	return new Promise((resolve) => {
		// It fails where it finds something.
		execFile(process.execPath, args, { cwd: folder }, (_, output) => resolve(JSON.parse(output)));
	});
}

/** The rules that a component breaks at a path, by ESLint. */
async function rulesBrokenByComponent(path: string, text: string): Promise<(string | null)[]> {
	const [result] = await eslint.lintText(`${text}\n`, { filePath: path });
	return [...new Set(result?.messages.map((message) => message.ruleId))];
}

const importOf = (specifier: string): string => `import { x } from '${specifier}';\nexport const y = x;`;

const rejected: Sample[] = [
	['src/service/a.ts', importOf('#ui/thing.ts'), 'tollgate(imports)'],
	['src/client/a.ts', importOf('#service/thing.ts'), 'tollgate(imports)'],
	['src/routes/a.ts', importOf('#tooling/thing.ts'), 'tollgate(imports)'],
	['src/service/a.ts', "export const load = () => import('#ui/thing.ts');", 'tollgate(imports)'],
	['src/service/a.ts', "export * from '#ui/thing.ts';", 'tollgate(imports)'],
	['src/hosts/library/a.ts', importOf('../browser/thing.ts'), 'tollgate(imports)'],
	['src/hosts/msw/a.ts', importOf('../browser/thing.ts'), 'tollgate(imports)'],
	['src/ui/a.ts', importOf('$app/state'), 'tollgate(imports)'],
	['src/ui/a.ts', importOf('./thing'), 'tollgate(imports)'],
	['src/client/oauth/a.ts', importOf('valibot'), 'tollgate(imports)'],
	['src/features/viewer/a.ts', importOf('$app/navigation'), 'tollgate(imports)'],
	['src/features/inspector/exchange/a.ts', importOf('../../exam/thing.ts'), 'tollgate(imports)'],
	['src/features/inspector/a.ts', importOf('#course/lessons/thing.ts'), 'tollgate(imports)'],
	['src/course/frame/a.ts', importOf('../labs/thing.ts'), 'tollgate(imports)'],
	['src/course/labs/stage/a.ts', importOf('../../lessons/thing.ts'), 'tollgate(imports)'],
	['src/features/shell/a.ts', "export const load = () => import('../docs/thing.ts');", 'tollgate(imports)'],
	['src/service/core/a.ts', importOf('../sandbox/thing.ts'), 'tollgate(imports)'],
	['src/service/token/grants/a.ts', importOf('../../control/thing.ts'), 'tollgate(imports)'],
	['src/ui/a.ts', importOf('node:fs'), 'tollgate(imports)'],
	['tests/a.ts', importOf('./thing'), 'tollgate(imports)'],
	['src/service/a.ts', 'export const x = Date.now();', 'eslint(no-restricted-properties)'],
	['src/service/a.ts', 'export const x = new Date();', 'tollgate(no-clock)'],
	['src/store/a.ts', 'export const x = crypto;', 'eslint(no-restricted-globals)'],
	['src/features/viewer/a.ts', "export const x = new EventSource('/stream');", 'eslint(no-restricted-globals)'],
	['src/api/a.ts', 'export const x = (y: unknown) => y as string;', 'typescript(consistent-type-assertions)'],
	['src/api/a.ts', 'export const x = (y: any) => y;', 'typescript(no-explicit-any)'],
	['src/api/a.ts', '// @ts-ignore\nexport const x = 1;', 'typescript(ban-ts-comment)'],
	['src/api/a.ts', 'export const x = (y: string, z: string) => z == y;', 'eslint(eqeqeq)'],
	['src/api/a.ts', 'const x = 1;', 'eslint(no-unused-vars)'],
	['src/api/a.ts', '\n'.repeat(400), 'eslint(max-lines)'],
	['src/api/someFile.ts', 'export const x = 1;', 'tollgate(file-names)'],
	['tests/a.test.ts', "test.only('x');", 'tollgate(whole-tests)'],
	['tests/e2e/a.spec.ts', 'await page.waitForTimeout(1);', 'tollgate(whole-tests)']
];

const accepted: Sample[] = [
	['src/service/a.ts', importOf('#store/thing.ts')],
	['src/service/core/a.ts', "import type { X } from '../sandbox/thing.ts';\nexport const y = (x: X): X => x;"],
	['src/client/a.ts', importOf('#api/thing.ts')],
	['src/client/oauth/a.ts', importOf('oauth4webapi')],
	['src/hosts/library/a.ts', importOf('../msw/thing.ts')],
	['src/features/shell/a.ts', importOf('$app/navigation')],
	['src/course/lessons/page/a.ts', importOf('../../docs/thing.ts')],
	['src/hooks.server.ts', importOf('#hosts/kit/thing.ts')]
];

const broken = await lintModules([...rejected, ...accepted]);
const brokenBy = (sample: Sample): string[] | undefined => broken.get(keyOf(sample));

test.each(rejected)('rejects in %s: %s', (...sample) => {
	expect(brokenBy(sample)).toContain(sample[2]);
});

test.each(accepted)('accepts in %s: %s', (...sample) => {
	expect(brokenBy(sample)).toEqual([]);
});

const script = (text: string, markup = '<p>Text</p>'): string =>
	`<script lang="ts">\n\t${text}\n</script>\n\n${markup}`;

test.each([
	['src/ui/status-bar.svelte', '<p>Text</p>', 'tollgate/file-names'],
	[
		'src/routes/viewer/+page.svelte',
		'<p>Text</p>\n\n<style>\n\tp {\n\t\tmargin: 0;\n\t}\n</style>',
		'tollgate/no-style'
	],
	['src/ui/Bar.svelte', script("import Bar from '#features/Bar.svelte';", '<Bar />'), 'tollgate/imports'],
	['src/ui/Bar.svelte', "{#await import('#features/Bar.svelte')}<p>Text</p>{/await}", 'tollgate/imports'],
	['src/ui/Bar.svelte', script('const x = (y: any) => y;', '{x(1)}'), '@typescript-eslint/no-explicit-any'],
	['src/ui/Bar.svelte', '<p>Text</p>\n'.repeat(401), 'max-lines'],
	[
		'src/ui/Bar.svelte',
		script('const x = (y: unknown) => y as string;', '{x(1)}'),
		'@typescript-eslint/consistent-type-assertions'
	],
	['src/ui/Bar.svelte', "<button onclick={() => new EventSource('/x')}>Text</button>", 'no-restricted-globals'],
	['src/ui/Bar.svelte', script("const text = '<b>Text</b>';", '{@html text}'), 'svelte/no-at-html-tags']
])('rejects in %s: %s', async (path, text, rule) => {
	expect(await rulesBrokenByComponent(path, text)).toContain(rule);
});
