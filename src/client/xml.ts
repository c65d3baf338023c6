/** An element of an XML document, in plain data. */
export type XmlElement = {
	readonly name: string;
	readonly attributes: ReadonlyMap<string, string>;
	readonly children: readonly XmlElement[];
	/** Its text, without that of its children. */
	readonly text: string;
};

/** Reads an XML document; undefined where it is not well-formed. A browser lends `DOMParser`. */
export type XmlReader = (text: string) => XmlElement | undefined;

/** Data as both encodings of the service carry it. In XML every leaf is text. */
export type Leaf = string | number | boolean | null;
export type Tree = Leaf | readonly Tree[] | { readonly [name: string]: Tree };

/**
 * An element as data: children become fields (a list where a name comes again), `item`
 * children a list, attributes fields beside them.
 * @param element of a parsed document
 */
export function treeOf(element: XmlElement): Tree {
	const { attributes, children, text } = element;
	if (attributes.size === 0 && children.length === 0) return text;
	if (attributes.size === 0 && children.every(({ name }) => name === 'item')) return children.map(treeOf);
	const fields = new Map<string, Tree[]>([...attributes].map(([name, value]) => [name, [value]]));
	for (const child of children) fields.set(child.name, [...(fields.get(child.name) ?? []), treeOf(child)]);
	return Object.fromEntries([...fields].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]));
}

/**
 * A JSON text as data; undefined where it is none.
 * @param text as received
 */
export function treeOfJson(text: string): Tree | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isTree(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** Whether a tree has fields. */
export function hasFields(tree: Tree | undefined): tree is { readonly [name: string]: Tree } {
	return typeof tree === 'object' && tree !== null && !Array.isArray(tree);
}

/** Whether a tree is a list. */
export function isList(tree: Tree | undefined): tree is readonly Tree[] {
	return Array.isArray(tree);
}

/** Whatever `JSON.parse` returns is one. */
function isTree(value: unknown): value is Tree {
	return value !== undefined;
}
