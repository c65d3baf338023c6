import type { Page } from '#exam/browser.ts';
import { html } from '#lib/html.ts';

/** What a window draws of a response: only a page is drawn as HTML, anything else as text. */
export function shownText({ text, status, isHtml = true }: Pick<Page, 'text' | 'status' | 'isHtml'>): string {
	if (isHtml && /^\s*<!doctype html/i.test(text)) return text;
	const content = text === '' && status === 0 ? 'The service did not respond.' : text;
	return html`<!doctype html><html lang="en"><head><meta name="color-scheme" content="light dark" /></head><body><pre style="white-space: pre-wrap; overflow-wrap: anywhere">${content}</pre></body></html>`
		.html;
}
