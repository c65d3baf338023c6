// Utility classes. Plain JavaScript: svelte.config.js imports it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'svelte/compiler';
import { compile, __unstable__loadDesignSystem as loadDesignSystem } from 'tailwindcss';

/** @typedef {{ start: number, end: number }} Place */
/** @typedef {Place & { text: string, quote: string }} Part a string in a class attribute */
/** @typedef {import('svelte/compiler').AST.Attribute} Attribute */
/** @typedef {Extract<Attribute['value'], { type: 'ExpressionTag' }>['expression']} Expression */

/** @type {Promise<(name: string) => boolean> | undefined} */
let loading;
const theme = fileURLToPath(new URL('../ui/styles/theme.css', import.meta.url));
/** What Tailwind writes for utilities that are combined by variables, such as transforms. The theme has none of these. */
const internals = /@layer properties;|@property --tw-[^]*$|--tw-[\w-]+: [^;]*;\s*/g;

/** Declarations that Tailwind writes one after the other. */
const shorthand = {
	// Not after another width, whose color is the same.
	border: /(?<!-width: [^;]+;\s*)border(-\w+|)-style: solid;\s*border\1-width: ([^;]+);\s*border-color: ([^;]+);/g,
	sides: /(padding|margin)-inline: ([^;]+);\s*\1-block: ([^;]+);/g
};

/**
 * Turns the utility classes of a component into its scoped classes: `class="flex gap-2"` becomes `class="u0"`, with a rule that applies
 * them. So a page loads the styles of its components alone. Names of other classes stay. In a class attribute, later strings win over
 * earlier ones, and utilities with a variant over those without.
 * @returns {import('svelte/compiler').PreprocessorGroup}
 */
export function utilities() {
	return {
		name: 'utilities',
		async markup({ content, filename = '' }) {
			if (!content.includes('class=') || filename.startsWith('virtual:')) return;
			const code = await withClasses(content, filename);
			return code === content ? undefined : { code };
		}
	};
}

/** The markup of a component with its scoped classes. */
const withClasses = keeping(async (content, filename) => {
	loading ??= loadUtilities();
	const isUtility = await loading;
	const { css, fragment } = parse(content, { modern: true, filename });
	const own = new Set(css?.content.styles.match(/(?<=\.)[a-z][\w-]*/g));
	/** @type {(Place & { text: string })[]} */
	const changes = [];
	/** @type {Map<string, string>} */
	const names = new Map();
	for (const attribute of classesOf(fragment)) {
		const parts = partsOf(attribute);
		for (const { start, end, text, quote } of parts) {
			const words = text.split(/\s+/).filter(Boolean);
			const used = words.filter((word) => isUtility(word) && !own.has(word));
			if (used.length === 0) continue;
			// Beside other strings, its order counts.
			const key = used.join(' ') + (parts.length > 1 ? ` @${start}` : '');
			const name = names.get(key) ?? `u${names.size.toString(36)}`;
			names.set(key, name);
			const others = words.filter((word) => !used.includes(word));
			changes.push({ start, end, text: `${quote}${[...others, name].join(' ')}${quote}` });
		}
	}
	if (names.size === 0) return content;
	const rules = rulesOf(names);
	const place = css?.content.start ?? content.length;
	changes.push({ start: place, end: place, text: css === null ? `<style>${rules}</style>` : rules });
	return changed(content, changes);
});

/**
 * Vite's plugin for the rules that `utilities` writes.
 * @returns {import('vite').Plugin}
 */
export function utilityStyles() {
	return {
		name: 'tollgate-utilities',
		enforce: 'pre',
		transform: {
			filter: { id: /\.svelte\?.*\blang\.css$/, code: '@apply' },
			async handler(code) {
				this.addWatchFile(theme);
				return { code: await expandUtilities(code), map: null };
			}
		}
	};
}

/**
 * Writes the declarations of utilities in place of `@apply`.
 * @param {string} styles
 * @throws {Error} where the theme lacks what a utility needs
 */
export async function expandUtilities(styles) {
	return expanded(`${readFileSync(theme, 'utf8')}${styles}`);
}

/** A style sheet behind the theme, with the declarations of its utilities. */
const expanded = keeping(async (styles) => {
	const { build } = await compile(styles);
	const css = build([])
		.replace(/^\/\*![^]*?\*\/\s*/, '')
		.replaceAll(/var\(--tw-(?:border|outline)-style\)/g, 'solid')
		.replace(internals, '')
		.replace(shorthand.border, 'border$1: $2 solid $3;')
		.replace(shorthand.sides, '$1: $3 $2;');
	const [, left] = /var\(--tw-([\w-]+)/.exec(css) ?? [];
	if (left !== undefined) throw new Error(`The theme has no ${left}. Write a utility for it in ${theme}.`);
	return css;
});

/**
 * Keeps the result for each text: a build has each component twice, for the server and for the pages.
 * @template Result
 * @param {(text: string, filename: string) => Result} make where the text fails, the name is in the message
 * @returns {(text: string, filename?: string) => Result}
 */
function keeping(make) {
	/** @type {Map<string, Result>} */
	const made = new Map();
	return (text, filename = '') => {
		const result = made.get(text) ?? make(text, filename);
		made.set(text, result);
		return result;
	};
}

/** Tells the names of utilities from other classes. */
async function loadUtilities() {
	const system = await loadDesignSystem(readFileSync(theme, 'utf8'));
	/** @type {Map<string, boolean>} */
	const known = new Map();
	return (/** @type {string} */ name) => {
		const isUtility = known.get(name) ?? system.candidatesToCss([name])[0] !== null;
		known.set(name, isUtility);
		return isUtility;
	};
}

/**
 * @param {ReadonlyMap<string, string>} names by their utilities
 * @returns {string}
 */
function rulesOf(names) {
	const rules = [...names].map(([key, name]) => {
		const words = key.replace(/ @\d+$/, '').split(' ');
		const ruleOf = (/** @type {string[]} */ used) => (used.length > 0 ? `.${name}{@apply ${used.join(' ')};}` : '');
		return [ruleOf(words.filter((word) => !hasVariant(word))), ruleOf(words.filter(hasVariant))];
	});
	return [0, 1].flatMap((at) => rules.map((pair) => pair[at])).join('');
}

/** @param {string} word */
const hasVariant = (word) => word.replace(/(?:\[[^\]]*\]|\([^)]*\))$/, '').includes(':');

/**
 * The class attributes of the elements below a node.
 * @param {unknown} node
 * @returns {Generator<Attribute>}
 */
function* classesOf(node) {
	if (typeof node !== 'object' || node === null) return;
	if (isElement(node))
		for (const attribute of node.attributes)
			if (attribute.type === 'Attribute' && attribute.name === 'class') yield attribute;
	for (const child of Object.values(node)) yield* classesOf(child);
}

/**
 * @param {object} node
 * @returns {node is import('svelte/compiler').AST.RegularElement}
 */
const isElement = (node) => 'type' in node && (node.type === 'RegularElement' || node.type === 'SvelteElement');

/**
 * The strings of a class attribute that are classes, and no operands.
 * @param {Attribute} attribute
 * @returns {Part[]}
 */
function partsOf({ value }) {
	if (value === true) return [];
	return (Array.isArray(value) ? value : [value]).flatMap((one) =>
		one.type === 'Text' ? [{ start: one.start, end: one.end, text: one.data, quote: '' }] : stringsOf(one.expression)
	);
}

/**
 * @param {unknown} node
 * @returns {Part[]}
 */
function stringsOf(node) {
	const expression = /** @type {Expression & Place} */ (node);
	switch (expression.type) {
		case 'Literal':
			return typeof expression.value === 'string' ? [partOf(expression, expression.value)] : [];
		case 'ArrayExpression':
			return expression.elements.flatMap(stringsOf);
		case 'ObjectExpression':
			return expression.properties.flatMap((property) => {
				if (property.type !== 'Property' || property.computed) return [];
				const { key } = property;
				return key.type === 'Identifier' ? [partOf(key, key.name)] : stringsOf(key);
			});
		case 'ConditionalExpression':
			return [expression.consequent, expression.alternate].flatMap(stringsOf);
		case 'LogicalExpression':
			return [...(expression.operator === '&&' ? [] : stringsOf(expression.left)), ...stringsOf(expression.right)];
		case 'MemberExpression':
			return expression.object.type === 'ObjectExpression'
				? expression.object.properties.flatMap((one) => (one.type === 'Property' ? stringsOf(one.value) : []))
				: [];
		default:
			return [];
	}
}

/**
 * @param {object} place
 * @param {string} text
 * @returns {Part}
 */
function partOf(place, text) {
	const { start, end, type } = /** @type {Place & { type: string }} */ (place);
	return { start, end, text, quote: type === 'Literal' ? "'" : '' };
}

/**
 * @param {string} content
 * @param {readonly (Place & { text: string })[]} changes
 */
function changed(content, changes) {
	let result = '';
	let at = 0;
	for (const { start, end, text } of changes.toSorted((a, b) => a.start - b.start)) {
		result += content.slice(at, start) + text;
		at = end;
	}
	return result + content.slice(at);
}
