import geist from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?inline';
import base from '#ui/styles/base.css?inline';
import components from '#ui/styles/components.css?inline';
import controls from '#ui/styles/controls.css?inline';
import fonts from '#ui/styles/fonts.css?inline';
import mono from '#ui/styles/mono.css?inline';
import reset from '#ui/styles/reset.css?inline';
import scale from '#ui/styles/scale.css?inline';
import servicePages from '#ui/styles/service-pages.css?inline';
import tokens from '#ui/styles/tokens.css?inline';

export const prerender = true;

const order = '@layer reset, tokens, base, controls, pages;';

/**
 * The main font is part of the stylesheet, so no text is first shown in another font. In the static build it is a file that the
 * service worker has already. The others are optional: these pages are short-lived, so a late font must not change the line breaks.
 */
const faces = `${fonts}\n${mono}`
	.replace(/font-display:\s*swap([^}]*)(url\([^)]*geist-latin-wght[^)]*\))/, (_, between: string, file: string) => {
		return `font-display: block${between}${__BROWSER_HOST__ ? file : `url(${geist})`}`;
	})
	.replaceAll(/font-display:\s*swap/g, 'font-display: optional');

/** The stylesheet of the pages that the service renders. It uses the same tokens as the application. */
export function GET(): Response {
	const sheet = [order, faces, scale, tokens, reset, base, controls, components, servicePages].join('\n');
	return new Response(sheet, { headers: { 'Content-Type': 'text/css; charset=utf-8' } });
}
