/** A piece of HTML that was written by the template below, and so holds nothing unescaped. */
export type Html = { readonly html: string };

type Piece = Html | string | number | undefined | readonly Html[];

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** HTML with every value escaped, for element content and quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
	let written = strings[0] ?? '';
	values.forEach((value, at) => {
		written += text(value) + (strings[at + 1] ?? '');
	});
	return { html: written };
}

function text(value: Piece): string {
	if (value === undefined) return '';
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => references[character] ?? character);
	return 'html' in value ? value.html : value.map((piece) => piece.html).join('');
}
