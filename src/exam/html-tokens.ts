/** A tag, with its attributes in their order. Names are in lower case, and values have no character references. */
export type HtmlTag = {
	readonly kind: 'start' | 'end';
	readonly name: string;
	readonly attributes: ReadonlyMap<string, string>;
};

/** Text, or a comment. `element`: the element whose content is no markup, such as `script`; empty elsewhere. */
export type HtmlText = { readonly kind: 'text' | 'comment'; readonly text: string; readonly element: string };

export type HtmlToken = HtmlTag | HtmlText;

/** Elements whose content is text until their end tag, in a browser with scripts. That of `title` and `textarea` has character references. */
const rawElements = /^(?:script|style|xmp|iframe|noembed|noframes|noscript|title|textarea)$/;
const withReferences = /^(?:title|textarea)?$/;
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** A text without character references. Those with rare names stay. */
function withoutReferences(text: string): string {
	return text.replace(
		/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));?/gi,
		(whole, hex, decimal, name) => {
			if (typeof name === 'string') return named[name.toLowerCase()] ?? whole;
			const point = typeof hex === 'string' ? parseInt(hex, 16) : Number(decimal);
			return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
		}
	);
}

/** The tokens of a page, as a browser reads them (HTML, section 13.2.5), without those that pages of clients do not need. */
export function* htmlTokens(page: string): Generator<HtmlToken, undefined> {
	let at = 0;
	while (at < page.length) {
		const open = page.indexOf('<', at);
		const end = open < 0 ? page.length : open;
		if (end > at) yield textToken(page.slice(at, end));
		if (open < 0) return;
		const rest = page.slice(open, open + 4);
		if (rest === '<!--') {
			const close = commentEnd.exec(page.slice(open + 2));
			at = close === null ? page.length : open + 2 + close.index + close[0].length;
			yield { kind: 'comment', text: page.slice(open + 4, at), element: '' };
		} else if (/^<[!?]|^<\/[^a-z]/i.test(rest)) {
			const close = page.indexOf('>', open);
			at = close < 0 ? page.length : close + 1;
		} else if (/^<\/?[a-z]/i.test(rest)) {
			const { tag, next } = readTag(page, open);
			at = next;
			if (tag === undefined) continue;
			yield tag;
			if (tag.kind === 'end' || !rawElements.test(tag.name)) continue;
			const close = new RegExp(`</${tag.name}(?=[\\s/>])`, 'i').exec(page.slice(at));
			const stop = close === null ? page.length : at + close.index;
			if (stop > at) yield textToken(page.slice(at, stop), tag.name);
			at = stop;
		} else {
			yield textToken('<');
			at = open + 1;
		}
	}
}

const commentEnd = /--!?>/;
const attribute = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)|(?=>)))?/y;

/** Reads a tag. One that does not end is no tag. */
function readTag(page: string, open: number): { readonly tag: HtmlTag | undefined; readonly next: number } {
	const [start = '', slash = '', name = ''] = /^<(\/?)([^\s/>]+)/.exec(page.slice(open, open + 200)) ?? [];
	const attributes = new Map<string, string>();
	let at = open + start.length;
	for (;;) {
		attribute.lastIndex = at;
		const [whole = '', key = '', double, single, bare] = attribute.exec(page) ?? [];
		if (whole === '') break;
		at += whole.length;
		const value = withoutReferences(double ?? single ?? bare ?? '');
		if (!attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), value);
	}
	const close = page.indexOf('>', at);
	if (close < 0) return { tag: undefined, next: page.length };
	return { tag: { kind: slash === '' ? 'start' : 'end', name: name.toLowerCase(), attributes }, next: close + 1 };
}

function textToken(text: string, element = ''): HtmlText {
	return { kind: 'text', text: withReferences.test(element) ? withoutReferences(text) : text, element };
}

/** Beginnings of a body that browsers take for HTML where no header says what it is (WHATWG MIME Sniffing). */
const sniffed =
	/^\s*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)(?:[\s>]|-)/i;

/** Whether a browser reads a body as HTML. @param type the header `Content-Type`; null if there is none. Without a slash, it says nothing */
export function isHtml(type: string | null, body: string): boolean {
	return type?.includes('/') !== true
		? sniffed.test(body)
		: /^\s*(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)\s*(?:;|$)/i.test(type);
}
