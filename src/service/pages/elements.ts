import { sanitizeText } from '#lib/plain-text.ts';
import { html, type Html } from '#lib/html.ts';

/** Untrusted text for display: sanitized, shortened, and isolated from the text direction around it. */
export function untrusted(text: string, longest = 80): Html {
	return html`<bdi>${sanitizeText(text, longest)}</bdi>`;
}

/** The icon of an application, or the first letter of its name. */
export function iconOf(name: string, icon: string | undefined): Html | string {
	if (icon !== undefined) return html`<img class="logo" src="${icon}" alt="" />`;
	return Array.from(name.trim())[0]?.toUpperCase() ?? '';
}

/** A URL that breaks before its slashes where a line is too short. */
export function urlCode(url: string): Html {
	const [first = '', ...rest] = url.split(/(?<=[^/:])(?=\/)/);
	return html`<code>${first}${rest.map((part) => html`<wbr />${part}`)}</code>`;
}

/** A list of terms and values. Values that are undefined are left out. */
export function facts(values: Readonly<Record<string, Html | readonly Html[] | string | undefined>>): Html {
	const rows = Object.entries(values).filter(([, value]) => value !== undefined);
	return html`<dl class="facts">
		${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}
	</dl>`;
}

/** A paragraph with a colored border. Errors are announced by screen readers. */
export function notice(tone: 'info' | 'ok' | 'caution' | 'error', content: Html | string): Html {
	return html`<p class="notice ${tone}"${tone === 'error' ? html` role="alert"` : undefined}>${content}</p>`;
}

/** A button that copies the text of an element. Only the script makes it work, so it is hidden without. */
export function copyButton(id: string, label: string): Html {
	return html`<button type="button" class="copy needs-script" data-copy="${id}">${label}</button>`;
}

/** Values of one column each, as a list of code. */
export function codeList(values: readonly string[]): readonly Html[] {
	return values.map((value) => html`<code>${value}</code><br>`);
}

/**
 * A table.
 * @param headings of the columns; on a narrow page they become labels of the cells
 * @param rows the first cell of a row is its heading
 */
export function table(headings: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html {
	const cell = (content: Html | string, column: number) =>
		column === 0 ? html`<td>${content}</td>` : html`<td data-label="${headings[column]}">${content}</td>`;
	return html`<table>
		<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
		<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody>
	</table>`;
}
