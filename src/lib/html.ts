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

/** The text that `html` has escaped. */
export function unescapeHtml(escaped: string): string {
	const characters = Object.entries(references);
	return escaped.replace(/&(?:amp|lt|gt|quot|#39);/g, (found) => {
		return characters.find(([, reference]) => reference === found)?.[0] ?? found;
	});
}

function text(value: Piece): string {
	if (value === undefined) return '';
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => references[character] ?? character);
	return 'html' in value ? value.html : value.map((piece) => piece.html).join('');
}

/** Hidden inputs by name. */
export type HiddenFields = Readonly<Record<string, string>>;

/** Hidden inputs. */
export function hiddenFields(fields: HiddenFields): readonly Html[] {
	return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}
