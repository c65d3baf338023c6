import base from '#ui/styles/base.css?inline';
import controls from '#ui/styles/controls.css?inline';
import fonts from '#ui/styles/fonts.css?inline';
import mono from '#ui/styles/mono.css?inline';
import reset from '#ui/styles/reset.css?inline';
import scale from '#ui/styles/scale.css?inline';
import servicePages from '#ui/styles/service-pages.css?inline';
import tokens from '#ui/styles/tokens.css?inline';

export const prerender = true;

const order = '@layer reset, tokens, base, controls, pages;';

/** Makes fonts optional: these pages are short-lived, so a late font must not change the line breaks. */
function withOptionalFonts(faces: string): string {
	return faces.replaceAll(/font-display:\s*swap/g, 'font-display: optional');
}

/** The stylesheet of the pages that the service renders. It uses the same tokens as the application. */
export function GET(): Response {
	const sheet = [
		order,
		withOptionalFonts(fonts),
		withOptionalFonts(mono),
		scale,
		tokens,
		reset,
		base,
		controls,
		servicePages
	].join('\n');
	return new Response(sheet, { headers: { 'Content-Type': 'text/css; charset=utf-8' } });
}
