import type { XmlElement, XmlReader } from '../xml.ts';

/** Reads XML with the browser's own parser, which fetches nothing and expands no external entity. */
export const readDomXml: XmlReader = (text) => {
	const document = new DOMParser().parseFromString(text, 'application/xml');
	return document.querySelector('parsererror') === null ? elementOf(document.documentElement) : undefined;
};

function elementOf(element: Element): XmlElement {
	const own = [...element.childNodes].filter(
		(node) => node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE
	);
	return {
		name: element.tagName,
		attributes: new Map([...element.attributes].map(({ name, value }) => [name, value])),
		children: [...element.children].map(elementOf),
		text: own.map((node) => node.nodeValue ?? '').join('')
	};
}
