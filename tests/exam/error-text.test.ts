import { describe, expect, it } from 'vitest';
import { errorTextFor } from '#api/error-text.ts';
import { forgedErrors } from '#exam/forged-errors.ts';
import { html } from '#lib/html.ts';
import { errorTextIn } from '#exam/error-text.ts';
import { actionsIn } from '#exam/page-forms.ts';
import { htmlTokens, isHtml } from '#exam/html-tokens.ts';

const { error_description: forgedErrorText = '' } = forgedErrors('https://tollgate.test');

const text = errorTextFor('https://localhost:1/ratelimiting?canary=1');
const escaped = html`${text}`.html;
const inJson = JSON.stringify(text).replaceAll('<', '\\u003c');

it('has only characters that a service may send (RFC 6749, section 4.1.2.1)', () => {
	expect(text).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});

describe('finds a description that became', () => {
	it.each([
		['tag', `<p>${text}</p>`],
		['tag', `<script>var a = ${JSON.stringify(text)}</script>`],
		['tag', `<TEXTAREA rows=3>${text}</TEXTAREA>`],
		['tag', `<!--${text}-->`],
		['tag', `<svg><title>${text}</title></svg>`],
		['tag', `<iframe srcdoc="${escaped}"></iframe>`],
		['script', `<iframe srcdoc="${html`<script>a('${text.replaceAll('<', '')}')</script>`.html}"></iframe>`],
		['script', `<a href="javascript:show('${escaped}')">Why?</a>`],
		['script', `<a href=" JavaScript:show('${encodeURIComponent(text)}')">Why?</a>`],
		['attribute', `<p title='${text}'>`],
		['attribute', `<p title=${escaped}>`],
		['attribute', `<input value="${forgedErrorText}">`],
		['attribute', `<input value=${html`${forgedErrorText}`.html}>`],
		['script', `<script>a("b", '${text.replaceAll('<', '')}')</script>`],
		['script', `<script>// it's\na(\`${text.replaceAll('<', '')}\`)</script>`],
		['script', `<script>a("${forgedErrorText}")</script>`],
		['script', `<script>a("${forgedErrorText.replaceAll('"', '\\"')}")</script>`],
		['script', `<button onclick="a('${escaped}')">`],
		['code', `<script>show(${text.replaceAll('<', '')})</script>`],
		['code', `<script type="module">const a = /["']/.test(b); const c = ${text.replaceAll('<', '')};</script>`],
		['code', `<button onclick="show(${escaped.replaceAll('&#39;', '')})">`],
		['markup', `<script>a.innerHTML = ${inJson};</script>`],
		['markup', `<script>document.write("<p>" + a); document.write(${inJson})</script>`],
		['markup', `<script>a.insertAdjacentHTML('beforeend', ${inJson})</script>`],
		['link', `<a href="${escaped}">`],
		['link', `<form action=" ${escaped}">`],
		['link', `<iframe src="${escaped}">`]
	])('%s: %s', (fate, page) => {
		expect(errorTextIn(page, true)).toBe(fate);
	});
});

describe('takes for text', () => {
	it.each([
		`<p>${escaped}</p>`,
		`<p title="${escaped}">`,
		`<p title='${escaped}'>`,
		`<script>a(${inJson})</script>`,
		`<script>a('it\\'s', ${inJson})</script>`,
		`<script>a('${text.replaceAll('<', '').replaceAll("'", "\\'")}')</script>`,
		`<script type="application/json">${inJson}</script>`,
		`<script>a.textContent = ${inJson}; b.innerHTML = "";</script>`,
		`<script>const a = b.replace(/["']/g, ""); show(${inJson})</script>`,
		`<script>const a = b.replace(/"/g, "'"); show("Error: " + ${inJson});</script>`,
		`<script type="text/x-template">${escaped}</script>`,
		`<script>/* ${escaped.replaceAll('&#39;', '')} */</script>`,
		`<textarea>${escaped}</textarea>`,
		`<!-- ${escaped} -->`,
		`<iframe srcdoc="${html`${escaped}`.html}"></iframe>`,
		`<a href="javascript:show('${escaped.replaceAll('&#39;', '')}')">Why?</a>`,
		`<a href="/why?text=${encodeURIComponent(text)}">`,
		`<p>${text.replaceAll(/<[^>]*>/g, '')}</p>`,
		`<script>a(${JSON.stringify(forgedErrorText)})</script>`
	])('%s', (page) => {
		expect(errorTextIn(page, true)).toBe('escaped');
	});

	it('all of a page that is no HTML', () => {
		expect(errorTextIn(`Error: ${text}`, false)).toBe('escaped');
	});
});

it('says that a page does not contain it, or not all', () => {
	expect(errorTextIn('<p>Access was denied.</p>', true)).toBe('absent');
	expect(errorTextIn(`<p>${escaped.slice(0, 60)}</p>`, true)).toBe('cut');
});

it.each([
	['text/html; charset=utf-8', 'a', true],
	['Application/XHTML+XML', 'a', true],
	['text/plain', '<!doctype html>', false],
	['application/json', '<html>', false],
	['text/htmlx', '<html>', false],
	[null, ' <!DOCTYPE html><p>', true],
	['', '<p>', true],
	['html', '<p>', true],
	[null, 'Error: <img src=a>', false]
])('reads a body of the type %s as a browser does', (type, body, expected) => {
	expect(isHtml(type, body)).toBe(expected);
});

it('reads tags as a browser does', () => {
	const page = `a &lt; b<A HREF=/x?a=1&amp;b=2 title='"'>c</A ><br/>< d<!doctype x></ e><b a=1 a=2>&#x41;&#66;</b><p`;
	const shown = [...htmlTokens(page)].map((token) =>
		token.kind === 'text'
			? token.text
			: [token.kind, ...('attributes' in token ? [token.name, ...token.attributes] : [])]
	);
	expect(shown).toEqual([
		'a < b',
		['start', 'a', ['href', '/x?a=1&b=2'], ['title', '"']],
		'c',
		['end', 'a'],
		['start', 'br'],
		'<',
		' d',
		['start', 'b', ['a', '1']],
		'AB',
		['end', 'b']
	]);
});

it('reads a large page without nested tags in a moment', () => {
	const begin = performance.now();
	for (const page of ['<'.repeat(500_000), '<a '.repeat(200_000), '<a b="'.repeat(100_000), '<!--'.repeat(200_000)])
		expect(actionsIn(page).length).toBeLessThan(2);
	expect(performance.now() - begin).toBeLessThan(5000);
});
