import { parseAst } from 'vite';

/** What only the OpenAPI document, the documentation and forms show. Programs of Node make the first two, and pages the forms. */
const texts = new Set(['summary', 'description', 'details', 'hint', 'unit']);
/**
 * What the service does not read of an object that has all of these properties, and this tag.
 * @type {{ marks: string[], tag?: string, names: string[] }[]}
 */
const unreadOf = [
	// Of the declaration of an endpoint, and of its body, what only the OpenAPI document shows.
	{ marks: ['id', 'tag', 'responses'], names: ['id', 'tag', 'errors'] },
	{ marks: ['schema'], names: ['example'] },
	// A page has no classes, so it reads no body about them.
	{ marks: ['id', 'tag', 'responses'], tag: 'Classes', names: ['body'] },
	// What only forms show of a setting, and the navigation of a page.
	{ marks: ['initial'], names: ['label', 'hint', 'options'] },
	{ marks: ['path', 'keys'], names: ['label', 'keys', 'words', 'group', 'client', 'isOfService', 'isOfRoot'] },
	// What only pages and the documentation show of an error. The service reads its status.
	{ marks: ['cause', 'fix'], names: ['title', 'cause', 'fix', 'section', 'action', 'redirect', 'exitCode'] },
	// Of a grant, and of its fields, what only pages and the OpenAPI document show.
	{ marks: ['offers', 'kind', 'pause'], names: ['offers', 'label'] },
	{ marks: ['point', 'drop', 'duplicate'], names: ['drop', 'duplicate', 'late'] },
	{ marks: ['meaning', 'check'], names: ['meaning', 'check'] }
];

/** @typedef {{ readonly start: number, readonly after: number }} Removal a property, with the comma behind it */

/**
 * Removes texts and examples of endpoints, grants and settings, names of pages, and what errors mean. The service worker has them from their
 * declarations, and reads none of them: they are 40 kB of it.
 * @param {string} code JavaScript
 */
export function removeTexts(code) {
	return without(code, find(parseAst(code), code));
}

/** Of the declaration of an endpoint, what no page shows. The documentation has its own copy. */
const unreadInPages = new Set(['summary', 'description', 'tag', 'errors', 'example']);

/**
 * Removes the texts and examples of endpoints. Pages import their declarations for schemas and limits.
 * @param {string} code JavaScript
 */
export function removeEndpointTexts(code) {
	return without(code, findInEndpoints(parseAst(code), code, false));
}

/**
 * @param {unknown} node
 * @param {string} code
 * @param {boolean} isEndpoint whether it is a part of the declaration of an endpoint
 * @returns {Removal[]}
 */
function findInEndpoints(node, code, isEndpoint) {
	if (!isObject(node)) return [];
	if (Array.isArray(node)) return node.flatMap((child) => findInEndpoints(child, code, isEndpoint));
	if (isEndpoint && isProperty(node)) {
		if (unreadInPages.has(nameOf(node) ?? '')) return [removal(node, code)];
		// Schemas have descriptions as well, which are calls.
		return propertiesOf(node.value).flatMap((part) => findInEndpoints(part, code, true));
	}
	const names = propertiesOf(node).map(nameOf);
	const isDeclared = ['id', 'tag', 'responses'].every((mark) => names.includes(mark));
	return Object.values(node).flatMap((child) => findInEndpoints(child, code, isDeclared));
}

/**
 * @param {string} code
 * @param {readonly Removal[]} removals in order
 */
function without(code, removals) {
	let kept = '';
	let end = 0;
	for (const { start, after } of removals) {
		kept += code.slice(end, start);
		end = after;
	}
	return kept + code.slice(end);
}

/**
 * The properties to remove, each with the comma behind it, in order.
 * @param {unknown} node
 * @param {string} code
 * @param {readonly string[]} unread names of properties that are removed
 * @returns {Removal[]}
 */
function find(node, code, unread = []) {
	if (!isObject(node)) return [];
	if (Array.isArray(node)) return node.flatMap((child) => find(child, code, unread));
	if (!isProperty(node)) {
		const properties = propertiesOf(node);
		const names = properties.map(nameOf);
		const tag = properties.find((one) => nameOf(one) === 'tag')?.value;
		const isUnread = (/** @type {(typeof unreadOf)[number]} */ one) =>
			one.marks.every((mark) => names.includes(mark)) && (one.tag === undefined || isValue(tag, one.tag));
		const unreadHere = unreadOf.flatMap((one) => (isUnread(one) ? one.names : []));
		return Object.values(node).flatMap((child) => find(child, code, unreadHere));
	}
	const name = nameOf(node) ?? '';
	if (unread.includes(name) || (texts.has(name) && isText(node.value))) return [removal(node, code)];
	// The service reads the statuses of an endpoint, and nothing of one.
	if (name === 'responses')
		return propertiesOf(node.value).flatMap(({ value }) => propertiesOf(value).map((part) => removal(part, code)));
	return find(node.value, code);
}

/**
 * @param {{ readonly start: number, readonly end: number }} node
 * @param {string} code
 */
function removal({ start, end }, code) {
	return { start, after: end + (code[end] === ',' ? 1 : 0) };
}

/** @param {unknown} node an object, as it is written */
function propertiesOf(node) {
	const isWritten = isObject(node) && 'type' in node && node.type === 'ObjectExpression' && 'properties' in node;
	return isWritten && Array.isArray(node.properties) ? node.properties.filter(isObject).filter(isProperty) : [];
}

/**
 * @param {unknown} node
 * @returns {string | undefined} the name of a property
 */
function nameOf(node) {
	if (!isObject(node) || !isProperty(node)) return undefined;
	const { key } = node;
	return isObject(key) && 'name' in key && typeof key.name === 'string' ? key.name : undefined;
}

/**
 * @param {object} node
 * @returns {node is { readonly start: number, readonly end: number, readonly key: unknown, readonly value: unknown }}
 */
function isProperty(node) {
	return 'type' in node && node.type === 'Property' && 'key' in node && 'value' in node;
}

/**
 * @param {unknown} node
 * @param {string} text
 */
function isValue(node, text) {
	return isObject(node) && 'value' in node && node.value === text;
}

/** @param {unknown} value */
function isText(value) {
	if (!isObject(value)) return false;
	const isTemplate = 'type' in value && value.type === 'TemplateLiteral';
	return isTemplate || ('value' in value && typeof value.value === 'string');
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isObject(value) {
	return typeof value === 'object' && value !== null;
}
