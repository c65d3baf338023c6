import { XMLParser } from 'fast-xml-parser';

const parser = new XMLParser({
	ignoreAttributes: false,
	attributeNamePrefix: '',
	ignoreDeclaration: true,
	parseTagValue: false,
	parseAttributeValue: false,
	trimValues: false
});

/** The name of the root element of an XML document, and its content as JSON would have it, with texts for all values. */
export function readXml(text: string): { readonly root: string; readonly content: unknown } {
	const document: unknown = parser.parse(text);
	const [[root, content] = ['', undefined]] = Object.entries(isObject(document) ? document : {});
	return { root, content: unwrap(content) };
}

/** A list is an element with one `item` for each of its values. */
function unwrap(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(unwrap);
	if (!isObject(value)) return value;
	const { item, ...rest } = value;
	if (item !== undefined && Object.keys(rest).length === 0) return [item].flat().map(unwrap);
	return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, unwrap(content)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
