import { html } from '#lib/html.ts';
import type { PageResponse, Trait } from './reference-client.ts';

/** A place of a page, and what writes a text to it. */
type Place = readonly [Trait, (text: string) => string];

const page = (body: string) => ({ body: `<!doctype html><title>Sign-in</title>${body}` });
const escaped = (text: string): string => html`${text}`.html;
const inScript = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');

/** The places of a page to which the description of an error is written without a thought. */
const wrong: readonly Place[] = [
	['error text as HTML', (text) => `<p>${text}</p>`],
	['error text in an attribute', (text) => `<p title='${text}'>Access was denied.</p>`],
	['error text in an attribute with quotes', (text) => `<p title="${text}">Access was denied.</p>`],
	['error text in an attribute without quotes', (text) => `<p title=${escaped(text)}>Access was denied.</p>`],
	[
		'error text in a script of JSON',
		(text) => `<script type="application/json">{"text":${JSON.stringify(text)}}</script>`
	],
	['error text in a string of a script', (text) => `<script>show("${text.replaceAll('<', '')}")</script>`],
	['error text between apostrophes of a script', (text) => `<script>show('${text.replaceAll('<', '')}')</script>`],
	['error text in an event handler', (text) => `<button onclick="show('${escaped(text)}')">More</button>`],
	['error text in a text field', (text) => `<textarea>${text}</textarea>`],
	['error text in a comment', (text) => `<!-- ${text} --><p>Access was denied.</p>`],
	['error text in the title', (text) => `<title>${text}</title>`],
	['error text outside of a string', (text) => `<script>show(${text.replaceAll('<', '')})</script>`],
	['error text for innerHTML', (text) => `<p id="problem"></p><script>problem.innerHTML = ${inScript(text)};</script>`],
	['error text in a template of a script', (text) => `<script>show(\`${text.replaceAll('<', '')}\`)</script>`],
	['error text in JSON of a page', (text) => JSON.stringify({ text })],
	['error text in noscript', (text) => `<noscript>${text}</noscript>`],
	['error text in a style', (text) => `<style>p::after { content: "${text}" }</style>`],
	['error text as a link', (text) => `<a href="${escaped(text)}">More</a>`]
];

/** The same places, with what each of them needs. */
const right: readonly Place[] = [
	[
		'error text with all signs escaped',
		(text) => `<p>${text.replace(/[^\w ]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</p>`
	],
	['error text without tags', (text) => `<p>${escaped(text.replace(/<[^>]*>/g, ''))}</p>`],
	['escaped error text', (text) => `<p>${escaped(text)}</p>`],
	['escaped error text in an attribute', (text) => `<p title="${escaped(text)}">Access was denied.</p>`],
	['escaped error text in a script', (text) => `<script>show(${inScript(text)})</script>`],
	['error text in a script', (text) => `<script type="application/json">{"text":${inScript(text)}}</script>`],
	['escaped error text in a text field', (text) => `<textarea>${escaped(text)}</textarea>`],
	['escaped error text in the title', (text) => `<title>${escaped(text)}</title>`]
];

/** The page to which the client redirects after an error, with a link to sign in again. */
export const problemPage = (query: URLSearchParams): Pick<PageResponse, 'body'> =>
	page(`<p>${escaped(query.get('error_description') ?? '')}</p><a href="/login">Sign in again</a>`);

/** The page of the reference client after an error, without its status. */
export function errorPage(query: URLSearchParams, has: (trait: Trait) => boolean): Pick<PageResponse, 'body' | 'type'> {
	const text = query.get('error_description') ?? '';
	if (has('error code as HTML')) return page(`<p>Error: ${query.get('error')}</p>`);
	if (has('escaped error code')) return page(`<p>Error: ${escaped(query.get('error') ?? '')}</p>`);
	if (has('error address as a link')) return page(`<a href="${escaped(query.get('error_uri') ?? '/')}">More</a>`);
	if (has('error text as plain text')) return { body: `Error: ${text}`, type: 'text/plain; charset=utf-8' };
	if (has('error text as JSON')) return { body: JSON.stringify({ error: text }), type: 'application/json' };
	if (has('start of the error text')) return page(`<p>${escaped(text.slice(0, 40))}</p>`);
	const place = [...wrong, ...right].find(([trait]) => has(trait));
	return page(place?.[1](text) ?? '<p>You did not allow access.</p>');
}
