import { embeddedFonts } from '#ui/styles/embedded-fonts.ts';

export const prerender = true;

/**
 * A style sheet, because the first paint waits for it: no text moves when a font arrives, whatever fonts the machine has. It does not
 * wait long enough for a preloaded font, and Chromium does not use one that a service worker returned.
 */
export function GET(): Response {
	return new Response(embeddedFonts, { headers: { 'Content-Type': 'text/css; charset=utf-8' } });
}
