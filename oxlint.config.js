// The rules for modules. eslint.config.js has those for components. tests/lint.test.ts tests both.
import { fileURLToPath } from 'node:url';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { commonRules, hostGlobals, sharedStreams } from './src/tooling/lint/common-rules.js';
import { importBans, importRules, pure } from './src/tooling/lint/import-bans.js';

/** The parser rejects what the first two find, and the compiler what the last finds. */
const isFoundElsewhere = (/** @type {string} */ name) => ['no-octal', 'no-dupe-args', 'no-redeclare'].includes(name);

/** The rules that the presets turn on. */
const presets = Object.fromEntries(
	[js.configs.recommended, ...tseslint.configs.strict]
		.flatMap(({ rules = {} }) => Object.entries(rules))
		.filter(([name, level]) => level !== 'off' && !isFoundElsewhere(name))
);

/** Need types. oxlint gets them from the compiler in Go, in a tenth of the time of the one in JavaScript. */
const typedRules = {
	'typescript/await-thenable': 'error',
	'typescript/no-array-delete': 'error',
	'typescript/no-base-to-string': 'error',
	'typescript/no-duplicate-type-constituents': 'error',
	'typescript/no-floating-promises': 'error',
	'typescript/no-for-in-array': 'error',
	'typescript/no-generated-empty-object-type': 'error',
	'typescript/no-implied-eval': 'error',
	'typescript/no-meaningless-void-operator': 'error',
	'typescript/no-misused-promises': 'error',
	'typescript/no-mixed-enums': 'error',
	'typescript/no-redundant-type-constituents': 'error',
	'typescript/no-unnecessary-boolean-literal-compare': 'error',
	'typescript/no-unnecessary-condition': 'error',
	'typescript/no-unnecessary-template-expression': 'error',
	'typescript/no-unnecessary-type-arguments': 'error',
	'typescript/no-unnecessary-type-assertion': 'error',
	'typescript/no-unnecessary-type-conversion': 'error',
	'typescript/no-unsafe-argument': 'error',
	'typescript/no-unsafe-assignment': 'error',
	'typescript/no-unsafe-call': 'error',
	'typescript/no-unsafe-enum-comparison': 'error',
	'typescript/no-unsafe-member-access': 'error',
	'typescript/no-unsafe-return': 'error',
	'typescript/no-unsafe-unary-minus': 'error',
	'typescript/no-useless-default-assignment': 'error',
	'typescript/only-throw-error': 'error',
	'typescript/prefer-promise-reject-errors': 'error',
	'typescript/prefer-reduce-type-parameter': 'error',
	'typescript/prefer-return-this-type': 'error',
	'typescript/related-getter-setter-pairs': 'error',
	'typescript/restrict-plus-operands': [
		'error',
		{ allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false }
	],
	'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
	'typescript/return-await': ['error', 'error-handling-correctness-only'],
	'typescript/use-unknown-in-catch-callback-variable': 'error'
};

export default {
	plugins: ['typescript'],
	jsPlugins: [fileURLToPath(new URL('src/tooling/lint/plugin.js', import.meta.url))],
	categories: { correctness: 'off' },
	options: { reportUnusedDisableDirectives: 'error' },
	ignorePatterns: ['**/*.svelte', 'build/', '.svelte-kit/', 'test-results/', '.tollgate/'],
	rules: { ...presets, ...commonRules, ...typedRules },
	overrides: [
		...importBans.map(({ bans, ...files }) => ({ ...files, rules: importRules(bans) })),
		sharedStreams,
		{
			files: pure.map((layer) => `src/${layer}/**`),
			rules: {
				'tollgate/no-clock': 'error',
				'no-restricted-globals': [
					'error',
					...hostGlobals.map((name) => ({ name, message: 'This layer knows no host.' }))
				],
				'no-restricted-properties': [
					'error',
					{ object: 'Date', property: 'now', message: 'The clock is passed in: options.now().' },
					{ object: 'Math', property: 'random', message: 'Randomness is passed in: options.random().' }
				]
			}
		},
		{ files: ['tests/**'], rules: { 'tollgate/whole-tests': 'error' } },
		{
			files: ['tests/**/*.ts'],
			rules: {
				'no-control-regex': 'off', // many tests send control characters
				// Expectations check what JSON.parse returns.
				'typescript/no-unsafe-argument': 'off',
				'typescript/no-unsafe-assignment': 'off',
				'typescript/no-unsafe-call': 'off',
				'typescript/no-unsafe-member-access': 'off',
				'typescript/no-unsafe-return': 'off',
				'typescript/restrict-plus-operands': 'off'
			}
		},
		{
			// JSDoc declares the types of what JSON.parse returns. The rules do not see it.
			files: ['**/*.js'],
			rules: { 'typescript/no-unsafe-assignment': 'off', 'typescript/no-unsafe-return': 'off' }
		},
		{
			// Runs as it is, without a build and without types.
			files: ['static/**'],
			rules: Object.fromEntries(Object.keys(typedRules).map((name) => [name, 'off']))
		}
	]
};
