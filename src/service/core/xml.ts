/** A value that both JSON and XML can carry. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [name: string]: Data | undefined };

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
// eslint-disable-next-line no-control-regex -- XML 1.0, section 2.2: these can't be written, not even as references
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/gu;
const references: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
	'\t': '&#9;',
	'\n': '&#10;',
	'\r': '&#13;'
};

/** A text without the characters that XML can't carry: each is U+FFFD, in JSON as in XML, so that both say the same. */
export function replaceInvalidXml(text: string): string {
	return text.replace(unwritable, '\ufffd');
}

/**
 * A document whose fields are child elements; an array is an element with one `item` each.
 * @param root name of the root element
 */
export function xmlFromData(root: string, data: Data): string {
	return `${declaration}${element(root, data)}`;
}

/**
 * An element without content whose fields are attributes.
 * @param content already written child elements
 */
export function xmlElement(name: string, fields: { readonly [name: string]: string | number }, content = ''): string {
	const attributes = Object.entries(fields)
		.map(([key, value]) => ` ${key}="${escape(String(value))}"`)
		.join('');
	return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;
}

/** A document of one already written root element. */
export function xmlDocument(root: string): string {
	return `${declaration}${root}`;
}

function element(name: string, data: Data): string {
	if (data === null) return `<${name}/>`;
	if (typeof data !== 'object') return `<${name}>${escape(String(data))}</${name}>`;
	if (isList(data)) return `<${name}>${data.map((item) => element('item', item)).join('')}</${name}>`;
	const children = Object.entries(data).map(([key, value]) => (value === undefined ? '' : element(key, value)));
	return `<${name}>${children.join('')}</${name}>`;
}

function isList(data: object): data is readonly Data[] {
	return Array.isArray(data);
}

function escape(text: string): string {
	return replaceInvalidXml(text).replace(/[&<>"'\t\n\r]/g, (character) => references[character] ?? character);
}
