import { parseAst } from 'vite';

/** What only the OpenAPI document and the documentation show. Programs of Node make both. */
const names = new Set(['summary', 'description']);

/**
 * Removes the properties `summary` and `description` that are a text. The service worker has them from the declarations of endpoints and
 * settings, and reads none of them: they are 20 kB of it.
 * @param {string} code JavaScript
 */
export function removeTexts(code) {
	let kept = '';
	let end = 0;
	for (const { start, after } of findTexts(parseAst(code), code)) {
		kept += code.slice(end, start);
		end = after;
	}
	return kept + code.slice(end);
}

/**
 * The properties to remove, each with the comma behind it, in order.
 * @param {unknown} node
 * @param {string} code
 * @returns {{ readonly start: number, readonly after: number }[]}
 */
function findTexts(node, code) {
	if (!isObject(node)) return [];
	if (isText(node)) return [{ start: node.start, after: node.end + (code[node.end] === ',' ? 1 : 0) }];
	return Object.values(node).flatMap((child) => findTexts(child, code));
}

/**
 * @param {object} node
 * @returns {node is { readonly start: number, readonly end: number }}
 */
function isText(node) {
	if (!('type' in node && node.type === 'Property' && 'key' in node && 'value' in node)) return false;
	const { key, value } = node;
	if (!isObject(key) || !isObject(value)) return false;
	const isNamed = 'name' in key && typeof key.name === 'string' && names.has(key.name);
	const isTemplate = 'type' in value && value.type === 'TemplateLiteral';
	return isNamed && (isTemplate || ('value' in value && typeof value.value === 'string'));
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isObject(value) {
	return typeof value === 'object' && value !== null;
}
