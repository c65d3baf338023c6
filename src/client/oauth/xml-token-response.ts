import type { TokenXmlParser } from './token-response.ts';

/** The part of an XML element that a token response needs. */
export type TokenXmlElement = {
	readonly name: string;
	readonly children: readonly { readonly name: string; readonly text: string }[];
};

/**
 * Optional: makes `TokenEndpoint` understand XML token responses, with root element `OAuth` and one child element for each
 * field (section 2.4). Pass the result as its `parseXml` option.
 * @param parse returns the root element of a document, undefined if it is not well-formed; `DOMParser` in a browser
 */
export function xmlTokenParser(parse: (text: string) => TokenXmlElement | undefined): TokenXmlParser {
	return (text) => {
		const root = parse(text);
		if (root?.name !== 'OAuth') return undefined;
		return Object.fromEntries(root.children.map(({ name, text: value }) => [name, value]));
	};
}
