// The rules of this project that a linter can check. tests/lint.test.ts tests them. Rules that need types are in .oxlintrc.json.
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { fileNames, hostGlobals, noStyle } from './src/tooling/lint-rules.js';
import config from './svelte.config.js';

// Its cache cannot keep functions.
const { compilerOptions: _, ...svelteConfig } = config;

/** @param {string} text groups of names, lowest first */
const ranksOf = (text) => text.split(' < ').map((names) => names.split(' '));

/** The layers directly under src/, lowest first: an import may only point at a lower rank. */
const ranks = ranksOf(
	'api < evidence < store < service < client < exam < hosts < write < ui < features < routes < tooling'
);
const layers = ranks.flat();
const hosts = ['node', 'kit', 'browser', 'library'];
/** Code that hosts share. It imports no host. */
const sharedByHosts = ['tls', 'msw'];

/** The folders of src/service, lowest first. An import of a value points at a lower rank, or at its own folder. Types are free. */
const serviceRanks = ranksOf(
	'core < traffic < sandbox < address < pause world pages < checks < access < class identity < token < authorization < resource account < control metadata < openapi'
);

/** The folders of src/features, lowest first. An import points at a lower rank, or at its own folder. */
const featureRanks = ranksOf(
	'shell < viewer inspector pause guide < companion controls request-builder studio < share console < exam home docs standards < lessons < class write'
);

/** The layers that know no host. Clock, randomness, digest and base URL are passed in. */
const pure = ['api', 'evidence', 'store', 'service'];

/** @typedef {{ regex: string, message: string }} Ban */

/** @type {Ban[]} */
const everywhere = [
	{ regex: String.raw`^(\.\./)+(${layers.join('|')})/`, message: 'Across layers write #layer/file.ts.' },
	{ regex: String.raw`^\$lib(/|$)`, message: 'There is no $lib: write #layer/file.ts.' },
	{
		regex: String.raw`^(\.{1,2}|#[a-z]+)/(?!.*\.(ts|js|svelte|css|lua|json|md|svg|png|txt|woff2)(\?[a-z]+)?$)(?!(.*/)?\$types$)`,
		message: 'A path includes the extension: ./file.ts.'
	}
];

/** @type {Ban} */
const kitOnly = {
	regex: String.raw`^\$(app|env)/`,
	message: '$app/* and $env/* stay in routes/, features/shell/ and hooks.*. Components get the page by getPage().'
};

/** @type {Ban} */
const noNode = { regex: '^node:', message: 'Only a host on Node, and files called *.server.ts, know Node.' };

/**
 * The names that do not have a lower rank than a name.
 * @param {string[][]} order
 * @param {string} name
 */
function notBelow(order, name) {
	const same = order.findIndex((names) => names.includes(name));
	return order.slice(same).flatMap((names) => names.filter((other) => other !== name));
}

/**
 * What the files of a layer must not import.
 * @param {string} layer
 * @returns {Ban[]}
 */
function bansOf(layer) {
	const barred =
		layer === 'client' ? layers.filter((name) => !/^(api|evidence|client)$/.test(name)) : notBelow(ranks, layer);
	const bans = [...everywhere];
	if (barred.length > 0) {
		bans.push({ regex: `^#(${barred.join('|')})/`, message: `${layer} must not know this layer: imports point down.` });
	}
	bans.push({ regex: `^#${layer}/`, message: 'Inside a layer write ./file.ts.' });
	if (layer !== 'routes') bans.push(kitOnly);
	if (pure.includes(layer)) {
		bans.push(noNode, { regex: '^(svelte|@sveltejs|msw)(/|$)', message: `${layer} knows no host.` });
	}
	return bans;
}

/**
 * Allows imports of oauth4webapi and of paths that match a pattern only.
 * @param {string} allowed regular expression of the start of a path
 * @returns {Ban}
 */
function copyable(allowed) {
	const message = 'The client core is copied into other projects: it imports oauth4webapi and itself only.';
	return { regex: `^(?!${allowed}|oauth4webapi$)`, message };
}

/**
 * Rules for a set of bans, for `import`, `export from` and `import()`.
 * @param {Ban[]} bans
 * @param {{ selector: string, message: string }[]} [syntax] further restrictions
 * @returns {import('eslint').Linter.RulesRecord}
 */
function restrict(bans, syntax = []) {
	const dynamic = bans.map(({ regex, message }) => ({
		// A slash would end the regular expression of a selector.
		selector: `ImportExpression[source.value=/${regex.replaceAll('/', String.raw`\x2F`)}/]`,
		message
	}));
	return {
		'no-restricted-imports': ['error', { patterns: bans }],
		'no-restricted-syntax': ['error', ...dynamic, ...syntax]
	};
}

/**
 * What the files of a folder of src/service must not import.
 * @param {string} folder
 * @param {number} depth of the files: 1 directly in the folder, 2 in a folder of it
 * @returns {import('eslint').Linter.RulesRecord}
 */
function restrictService(folder, depth) {
	const regex = String.raw`^(?:\.\./){${depth}}(?:(?:${notBelow(serviceRanks, folder).join('|')})/|[a-z-]+\.ts$)`;
	const message = `Of the folders of src/service, ${folder} must not know this one: imports of values point down.`;
	return {
		'@typescript-eslint/no-restricted-imports': ['error', { patterns: [{ regex, message, allowTypeImports: true }] }]
	};
}

/**
 * What the files of a folder of src/features must not import.
 * @param {string} feature
 * @returns {Ban[]}
 */
function bansOfFeature(feature) {
	const regex = String.raw`^(\.\./)+(${notBelow(featureRanks, feature).join('|')})/`;
	// The shell is the feature that knows SvelteKit.
	const bans = bansOf('features').filter((ban) => feature !== 'shell' || ban !== kitOnly);
	return [...bans, noNode, { regex, message: `${feature} must not know this feature: imports point down.` }];
}

const realClock = [
	{
		selector: "NewExpression[callee.name='Date'][arguments.length=0]",
		message: 'The clock is passed in: options.now().'
	},
	{ selector: "CallExpression[callee.name='Date']", message: 'The clock is passed in: options.now().' }
];

const unfinished = [
	{
		selector: 'MemberExpression[object.name=/^(it|test|describe|suite)$/][property.name=/^(only|skip|todo|fixme)$/]',
		message: 'Every test runs.'
	},
	{ selector: "MemberExpression[property.name='waitForTimeout']", message: 'Wait for a condition, not for a time.' }
];

export default defineConfig(
	{ ignores: ['build/', '.svelte-kit/', 'test-results/', '.tollgate/'] },
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },
	js.configs.recommended,
	...tseslint.configs.strict,
	...svelte.configs.recommended,
	...svelte.configs.prettier,
	{
		plugins: { tollgate: { rules: { 'file-names': fileNames, 'no-style': noStyle } } },
		languageOptions: {
			globals: { ...globals.browser, ...globals.node }
		},
		rules: {
			'tollgate/file-names': 'error',
			'max-lines': ['error', 300],
			eqeqeq: 'error',
			'no-undef': 'off', // TypeScript checks this
			'@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
			'@typescript-eslint/no-invalid-void-type': 'off',
			'@typescript-eslint/no-dynamic-delete': 'off',
			'svelte/no-navigation-without-resolve': 'off', // $app/paths is imported in routes only
			'svelte/no-unused-svelte-ignore': 'off', // it does not know all warnings of svelte-check
			'svelte/prefer-svelte-reactivity': 'off' // a private Map of timers need not be reactive
		}
	},
	{ files: ['**/*.svelte.ts'], languageOptions: { parser: tseslint.parser } },
	{ files: ['**/*.svelte'], languageOptions: { parserOptions: { parser: tseslint.parser, svelteConfig } } },
	{
		// Many tests send control characters.
		files: ['tests/**/*.ts'],
		rules: { 'no-control-regex': 'off' }
	},
	{ files: ['src/**'], rules: restrict([...everywhere, kitOnly]) },
	...layers.map((layer) => ({
		files: [`src/${layer}/**`],
		rules: restrict(bansOf(layer), pure.includes(layer) ? realClock : [])
	})),
	{
		files: pure.map((layer) => `src/${layer}/**`),
		rules: {
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
	{
		files: ['client', 'exam', 'hosts', 'ui', 'features', 'routes'].map((layer) => `src/${layer}/**`),
		ignores: ['src/client/control-api/stream-environment.ts'],
		rules: {
			'no-restricted-globals': [
				'error',
				{ name: 'EventSource', message: 'The pages of a browser share their streams: use SharedStream.' }
			]
		}
	},
	...serviceRanks.flat().flatMap((folder) => [
		{ files: [`src/service/${folder}/*`], rules: restrictService(folder, 1) },
		{ files: [`src/service/${folder}/*/*`], rules: restrictService(folder, 2) }
	]),
	...[...hosts, ...sharedByHosts].map((host) => ({
		files: [`src/hosts/${host}/**`],
		rules: restrict([
			...bansOf('hosts'),
			...(host === 'browser' ? [noNode] : []),
			{
				regex: String.raw`^\.\./(${hosts.filter((other) => other !== host).join('|')})/`,
				message: 'A host knows no other host.'
			}
		])
	})),
	...['client', 'ui'].map((layer) => ({
		files: [`src/${layer}/**`],
		ignores: ['**/*.server.ts'],
		rules: restrict([...bansOf(layer), noNode])
	})),
	...featureRanks
		.flat()
		.map((feature) => ({ files: [`src/features/${feature}/**`], rules: restrict(bansOfFeature(feature)) })),
	// Developers copy these two folders into their own projects.
	{ files: ['src/client/oauth/**'], rules: restrict([copyable(String.raw`\./`)]) },
	{ files: ['src/client/rate-limit/**'], rules: restrict([copyable(String.raw`\./|\.\./oauth/`)]) },
	{
		files: ['src/routes/**'],
		ignores: ['**/*.server.ts', '**/+server.ts'],
		rules: restrict([...bansOf('routes'), noNode])
	},
	{
		files: ['src/hooks.*'],
		rules: restrict(everywhere)
	},
	{ files: ['tests/**'], rules: restrict(everywhere.slice(1), unfinished) },
	// `Page.svelte` itself is the layout of all.
	{ files: ['src/routes/**/*.svelte', 'src/features/*/?*Page.svelte'], rules: { 'tollgate/no-style': 'error' } },
	{
		// Plain JavaScript that runs as it is, without a build.
		files: ['static/**/*.js'],
		languageOptions: { globals: { ...globals.serviceworker } }
	}
);
