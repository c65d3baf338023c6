import geist from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?inline';
import base from '#ui/styles/base.css?inline';
import components from '#ui/styles/components.css?inline';
import controls from '#ui/styles/controls.css?inline';
import fonts from '#ui/styles/fonts.css?inline';
import reset from '#ui/styles/reset.css?inline';
import scale from '#ui/styles/scale.css?inline';
import servicePages from '#ui/styles/service-pages.css?inline';
import tokens from '#ui/styles/tokens.css?inline';

export const prerender = true;

const order = '@layer reset, tokens, base, controls, pages;';

/**
 * The main font is part of the stylesheet, so no text is shown in another font first. In the static build it is a file that the
 * service worker has already.
 */
const faces = __BROWSER_HOST__
	? fonts
	: fonts.replace(
			/optional([^}]*)url\([^)]*geist-latin-wght[^)]*\)/,
			(_, between: string) => `block${between}url(${geist})`
		);

/** The stylesheet of the pages that the service renders. It uses the same tokens as the application. */
export function GET(): Response {
	const sheet = [order, faces, scale, tokens, reset, base, controls, components, servicePages].join('\n');
	return new Response(sheet, { headers: { 'Content-Type': 'text/css; charset=utf-8' } });
}
