// The rules for components. oxlint.config.js has those for modules. tests/lint.test.ts tests both.
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { commonRules, sharedStreams } from './src/tooling/lint/common-rules.js';
import { importBans, importRules } from './src/tooling/lint/import-bans.js';
import tollgate from './src/tooling/lint/plugin.js';
import config from './svelte.config.js';

// Its cache cannot keep functions.
const { compilerOptions: _, ...svelteConfig } = config;

export default defineConfig(
	{ ignores: ['**/*.js'] },
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },
	js.configs.recommended,
	...tseslint.configs.strict,
	...svelte.configs.recommended,
	...svelte.configs.prettier,
	{
		plugins: { tollgate },
		languageOptions: {
			globals: globals.browser,
			parserOptions: { parser: tseslint.parser, svelteConfig }
		},
		rules: {
			...commonRules,
			'svelte/no-navigation-without-resolve': 'off', // $app/paths is imported in routes only
			'svelte/no-unused-svelte-ignore': 'off', // it does not know all warnings of svelte-check
			'svelte/prefer-svelte-reactivity': 'off' // a private Map of timers need not be reactive
		}
	},
	...importBans.map(({ files, excludeFiles = [], bans }) => ({
		files,
		ignores: excludeFiles,
		rules: importRules(bans)
	})),
	{ files: sharedStreams.files, rules: sharedStreams.rules },
	// `Page.svelte` itself is the layout of all.
	{
		files: ['src/routes/**/*.svelte', 'src/{features,course}/*/?*Page.svelte', 'src/features/*/*/?*Page.svelte'],
		rules: { 'tollgate/no-style': 'error' }
	}
);
