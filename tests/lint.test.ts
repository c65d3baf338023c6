import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const eslint = new ESLint();

/** The rules that a text breaks at a path. */
async function brokenRules(path: string, text: string): Promise<(string | null)[]> {
	const [result] = await eslint.lintText(`${text}\n`, { filePath: path });
	return [...new Set(result?.messages.map((message) => message.ruleId))];
}

const importOf = (specifier: string): string => `import { x } from '${specifier}';\nexport const y = x;`;

test.each([
	['src/service/a.ts', importOf('#ui/thing.ts'), 'no-restricted-imports'],
	['src/client/a.ts', importOf('#service/thing.ts'), 'no-restricted-imports'],
	['src/routes/a.ts', importOf('#tooling/thing.ts'), 'no-restricted-imports'],
	['src/service/a.ts', "export const load = () => import('#ui/thing.ts');", 'no-restricted-syntax'],
	['src/hosts/library/a.ts', importOf('../browser/thing.ts'), 'no-restricted-imports'],
	['src/hosts/msw/a.ts', importOf('../browser/thing.ts'), 'no-restricted-imports'],
	['src/ui/a.ts', importOf('$app/state'), 'no-restricted-imports'],
	['src/features/viewer/a.ts', importOf('$app/navigation'), 'no-restricted-imports'],
	['src/features/inspector/exchange/a.ts', importOf('../../lessons/thing.ts'), 'no-restricted-imports'],
	['src/features/shell/a.ts', "export const load = () => import('../docs/thing.ts');", 'no-restricted-syntax'],
	['src/service/core/a.ts', importOf('../sandbox/thing.ts'), '@typescript-eslint/no-restricted-imports'],
	['src/service/token/grants/a.ts', importOf('../../control/thing.ts'), '@typescript-eslint/no-restricted-imports'],
	['src/ui/a.ts', importOf('node:fs'), 'no-restricted-imports'],
	['src/service/a.ts', 'export const x = Date.now();', 'no-restricted-properties'],
	['src/store/a.ts', 'export const x = crypto;', 'no-restricted-globals'],
	['src/features/viewer/a.ts', "export const x = new EventSource('/stream');", 'no-restricted-globals'],
	['src/api/a.ts', 'export const x = (y: unknown) => y as string;', '@typescript-eslint/consistent-type-assertions'],
	['src/ui/status-bar.svelte', '<p>Text</p>', 'tollgate/file-names'],
	[
		'src/routes/viewer/+page.svelte',
		'<p>Text</p>\n\n<style>\n\tp {\n\t\tmargin: 0;\n\t}\n</style>',
		'tollgate/no-style'
	],
	['tests/a.test.ts', "test.only('x');", 'no-restricted-syntax']
])('rejects in %s: %s', async (path, text, rule) => {
	expect(await brokenRules(path, text)).toContain(rule);
});

test.each([
	['src/service/a.ts', importOf('#store/thing.ts')],
	['src/client/a.ts', importOf('#api/thing.ts')],
	['src/hosts/library/a.ts', importOf('../msw/thing.ts')],
	['src/features/shell/a.ts', importOf('$app/navigation')],
	['src/features/lessons/page/a.ts', importOf('../../docs/thing.ts')],
	['src/hooks.server.ts', importOf('#hosts/kit/thing.ts')]
])('accepts in %s: %s', async (path, text) => {
	expect(await brokenRules(path, text)).toEqual([]);
});
