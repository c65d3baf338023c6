import type { XmlElement, XmlParser } from '#client/xml-to-json.ts';

/** Parses XML with the browser's parser, which loads nothing and expands no external entities. */
export const parseXml: XmlParser = (text) => {
	const document = new DOMParser().parseFromString(text, 'application/xml');
	return document.querySelector('parsererror') === null ? elementOf(document.documentElement) : undefined;
};

function elementOf(element: Element): XmlElement {
	const texts = [...element.childNodes].filter(
		(node) => node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE
	);
	return {
		name: element.tagName,
		attributes: new Map([...element.attributes].map(({ name, value }) => [name, value])),
		children: [...element.children].map(elementOf),
		text: texts.map((node) => node.nodeValue ?? '').join('')
	};
}
