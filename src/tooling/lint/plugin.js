// The rules of this project. oxlint runs them on modules, ESLint on components.

/** @typedef {import('eslint').Rule.RuleContext} RuleContext */

/** File names: kebab-case.ts, noun.svelte.ts, PascalCase.svelte, and those of SvelteKit's routes. */
const fileNames = {
	/** @param {RuleContext} context */
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
const noStyle = {
	/** @param {RuleContext} context */
	create(context) {
		return {
			/** @param {import('estree').Node} node */
			SvelteStyleElement(node) {
				context.report({ node, message: 'A page has no styles: use the components of src/ui/layout.' });
			}
		};
	}
};

/**
 * Its option lists bans. `no-restricted-imports` has them too, but knows no `import()` in ESLint, and in oxlint no expression that
 * looks ahead.
 */
const imports = {
	meta: { schema: [{ type: 'array', items: { type: 'object' } }] },
	/** @param {RuleContext} context */
	create(context) {
		/** @type {import('./import-bans.js').Ban[]} */
		const bans = context.options[0];
		const patterns = bans.map(({ regex, ...ban }) => ({ ...ban, regex: new RegExp(regex, 'u') }));
		/**
		 * @param {import('estree').Node} node
		 * @param {import('estree').Node | null | undefined} source
		 */
		const check = (node, source) => {
			if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
			for (const { regex, message, allowTypeImports = false } of patterns) {
				if (regex.test(source.value) && !(allowTypeImports && isTypeOnly(node)))
					context.report({ node, message: `${source.value}: ${message}` });
			}
		};
		/** @param {import('estree').Node & { source?: import('estree').Node | null }} node */
		const checkSource = (node) => check(node, node.source);
		return {
			ImportDeclaration: checkSource,
			ImportExpression: checkSource,
			ExportNamedDeclaration: checkSource,
			ExportAllDeclaration: checkSource
		};
	}
};

/**
 * Whether an import or export is of types only. The types of ESTree do not know TypeScript.
 * @param {object & Kinds & { specifiers?: readonly object[] }} node
 */
function isTypeOnly(node) {
	const { specifiers = [] } = node;
	return isType(node) || (specifiers.length > 0 && specifiers.every(isType));
}

/** @typedef {{ importKind?: string, exportKind?: string }} Kinds */

/** @param {Kinds} node */
function isType({ importKind, exportKind }) {
	return importKind === 'type' || exportKind === 'type';
}

/** Rejects `new Date()` and `Date()`. The other ways to read the clock are properties, see oxlint.config.js. */
const noClock = {
	/** @param {RuleContext} context */
	create(context) {
		const message = 'The clock is passed in: options.now().';
		/** @param {import('estree').SimpleCallExpression | import('estree').NewExpression} node */
		const isDate = ({ callee }) => callee.type === 'Identifier' && callee.name === 'Date';
		return {
			/** @param {import('estree').NewExpression} node */
			NewExpression(node) {
				if (isDate(node) && node.arguments.length === 0) context.report({ node, message });
			},
			/** @param {import('estree').SimpleCallExpression} node */
			CallExpression(node) {
				if (isDate(node)) context.report({ node, message });
			}
		};
	}
};

/** Tests that do not run, and tests that wait for a time. */
const wholeTests = {
	/** @param {RuleContext} context */
	create(context) {
		return {
			/** @param {import('estree').MemberExpression} node */
			MemberExpression(node) {
				const { object, property } = node;
				if (property.type !== 'Identifier') return;
				if (property.name === 'waitForTimeout')
					context.report({ node, message: 'Wait for a condition, not for a time.' });
				const isTest = object.type === 'Identifier' && /^(it|test|describe|suite)$/.test(object.name);
				if (isTest && /^(only|skip|todo|fixme)$/.test(property.name))
					context.report({ node, message: 'Every test runs.' });
			}
		};
	}
};

export default {
	meta: { name: 'tollgate' },
	rules: { 'file-names': fileNames, imports, 'no-clock': noClock, 'no-style': noStyle, 'whole-tests': wholeTests }
};
