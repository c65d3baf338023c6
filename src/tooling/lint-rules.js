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

/** File names: kebab-case.ts, noun.svelte.ts, PascalCase.svelte, and those of SvelteKit's routes. */
export const fileNames = {
	/** @param {import('eslint').Rule.RuleContext} context */
	create(context) {
		const name = context.filename.split(/[/\\]/).at(-1) ?? '';
		const good =
			/^\+(page|layout|error|server)(@[\w()-]*)?(\.server)?\.(ts|svelte)$/.test(name) ||
			/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.(ts|js)$/.test(name) ||
			/^([A-Z][a-z0-9]*)+\.svelte$/.test(name);
		return {
			/** @param {import('estree').Program} node */
			Program(node) {
				if (!good) context.report({ node, message: `${name}: kebab-case.ts, noun.svelte.ts or PascalCase.svelte.` });
			}
		};
	}
};

/** Pages are made of components. A page with its own styles would lay out its parts in another way than the rest. */
export const noStyle = {
	/** @param {import('eslint').Rule.RuleContext} context */
	create(context) {
		return {
			/** @param {import('estree').Node} node */
			SvelteStyleElement(node) {
				context.report({ node, message: 'A page has no styles: use the components of src/ui/layout.' });
			}
		};
	}
};
