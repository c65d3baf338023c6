import type { JsonValue } from './rate-limit/json-value.ts';

/** An element of a parsed XML document. */
export type XmlElement = {
	readonly name: string;
	readonly attributes: ReadonlyMap<string, string>;
	readonly children: readonly XmlElement[];
	/** Its own text, without that of its children. */
	readonly text: string;
};

/** Parses an XML document; undefined if it is not well-formed. */
export type XmlParser = (text: string) => XmlElement | undefined;

/**
 * Converts an element to JSON. Attributes and children become fields, repeated children an array, and an element with `item`
 * children only an array.
 */
export function xmlToJson({ attributes, children, text }: XmlElement): JsonValue {
	if (attributes.size === 0 && children.length === 0) return text;
	if (attributes.size === 0 && children.every(({ name }) => name === 'item')) return children.map(xmlToJson);
	const fields = new Map<string, JsonValue[]>([...attributes].map(([name, value]) => [name, [value]]));
	for (const child of children) fields.set(child.name, [...(fields.get(child.name) ?? []), xmlToJson(child)]);
	return Object.fromEntries(
		[...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values])
	);
}
