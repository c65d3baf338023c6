/**
 * What this project adds to the presets of ESLint and typescript-eslint, for modules and components.
 * @type {import('eslint').Linter.RulesRecord}
 */
export const commonRules = {
	'tollgate/file-names': 'error',
	'max-lines': ['error', 400],
	eqeqeq: 'error',
	'no-undef': 'off', // TypeScript checks this
	'@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
	'@typescript-eslint/consistent-type-imports': 'error',
	'@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
	'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
	'@typescript-eslint/no-invalid-void-type': 'off',
	'@typescript-eslint/no-dynamic-delete': 'off'
};

/** The layers whose code runs in pages. */
export const sharedStreams = {
	files: ['client', 'exam', 'hosts', 'ui', 'features', 'routes'].map((layer) => `src/${layer}/**`),
	excludeFiles: ['src/client/control-api/stream-environment.ts'],
	/** @type {import('eslint').Linter.RulesRecord} */
	rules: {
		'no-restricted-globals': [
			'error',
			{ name: 'EventSource', message: 'The pages of a browser share their streams: use SharedStream.' }
		]
	}
};

/** Names that exist in some hosts only. */
export const hostGlobals = [
	'window',
	'document',
	'navigator',
	'location',
	'self',
	'globalThis',
	'global',
	'process',
	'Buffer',
	'require',
	'localStorage',
	'sessionStorage',
	'indexedDB',
	'caches',
	'crypto',
	'performance',
	'console',
	'fetch',
	'Request',
	'Response',
	'XMLHttpRequest',
	'WebSocket',
	'EventSource',
	'BroadcastChannel',
	'Worker',
	'setTimeout',
	'setInterval',
	'setImmediate',
	'requestAnimationFrame',
	'requestIdleCallback'
];
