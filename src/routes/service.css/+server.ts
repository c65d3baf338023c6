import base from '#ui/styles/base.css?inline';
import components from '#ui/styles/components.css?inline';
import controls from '#ui/styles/controls.css?inline';
import reset from '#ui/styles/reset.css?inline';
import scale from '#ui/styles/scale.css?inline';
import servicePages from '#ui/styles/service-pages.css?inline';
import tokens from '#ui/styles/tokens.css?inline';

export const prerender = true;

const order = '@layer reset, tokens, base, controls, pages;';
/** The browser has it if the user comes from a page of the application. */
const fonts = "@import './fonts.css';";

/** The stylesheet of the pages that the service renders. It uses the same tokens as the application. */
export function GET(): Response {
	const sheet = [order, fonts, scale, tokens, reset, base, controls, components, servicePages].join('\n');
	return new Response(sheet, { headers: { 'Content-Type': 'text/css; charset=utf-8' } });
}
