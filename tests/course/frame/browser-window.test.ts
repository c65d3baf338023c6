import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import { unescapeHtml } from '#lib/html.ts';
import type { Page } from '#exam/browser.ts';
import BrowserWindow from '#course/frame/BrowserWindow.svelte';

/** What the frame of the window draws. */
function drawn(page: Partial<Page>): string {
	const shown = { url: 'https://client.test/', status: 200, text: '', ...page };
	const { body } = render(BrowserWindow, {
		props: { page: shown, browser: undefined, canMove: false, title: 'Page', css: '' }
	});
	return unescapeHtml(/srcdoc="([^"]*)"/.exec(body)?.[1] ?? '');
}

const evil = '<h1>Sign in</h1><input name="password">';

test('draws a response that is no page as its text', () => {
	for (const text of [`{"client_name":"${evil}"}`, evil]) {
		expect(drawn({ text })).toContain('&lt;h1&gt;Sign in');
		expect(drawn({ text })).not.toContain('<h1>');
	}
});

test('draws the text of a page as text if its content type is not that of HTML', () => {
	const text = `<!doctype html>${evil}`;
	expect(drawn({ text, isHtml: false })).not.toContain('<h1>');
	expect(drawn({ text, isHtml: true })).toContain(evil);
});
