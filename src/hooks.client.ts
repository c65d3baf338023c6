import { version } from '$app/environment';
import { base } from '$app/paths';
import { setHostStatus } from '#hosts/browser/host-status.svelte.ts';
import { registerServiceWorker } from '#hosts/browser/register.ts';
import { lookForUpdate } from '#hosts/browser/update.ts';
import { isServicePath } from '#api/service-path.ts';
import type { ClientInit, HandleClientError } from '@sveltejs/kit';

/** The errors of scripts that could not be downloaded: without a network, or because the server has a newer version. */
const failedDownloads = new WeakSet<Error>();

addEventListener('vite:preloadError', ({ payload }) => {
	failedDownloads.add(payload);
	lookForUpdate();
});

// A part of a page that nothing else reports.
addEventListener('unhandledrejection', (event) => {
	if (!(event.reason instanceof Error) || !failedDownloads.has(event.reason)) return;
	event.preventDefault();
	setHostStatus({ isPartMissing: true });
});

export const handleError: HandleClientError = ({ error, message }) =>
	error instanceof Error && failedDownloads.has(error) ? { message, isNotDownloaded: true } : { message };

/** How long the first text of the static build waits for its fonts, in milliseconds. */
const fontWait = 300;

/**
 * Loads the fonts before there is text. Pages of a server preload them, but Chromium does not use what a service worker returned for a
 * preload. A font that arrives later is not used until the next page is loaded, so no text moves (`font-display: optional`).
 */
async function loadFonts(): Promise<void> {
	const fonts = ['Geist Variable', 'Geist Mono Variable'].map((family) => document.fonts.load(`1em "${family}"`));
	await Promise.race([Promise.allSettled(fonts), new Promise((resolve) => setTimeout(resolve, fontWait))]);
}

/** In the static build a page of the service comes from the service worker. The app would change its URL, so it must not start. */
export const init: ClientInit = async () => {
	// Pages that other sites embed have their service in them.
	if (!__BROWSER_HOST__ || location.pathname.startsWith(`${base}/embed/`)) return;
	const registered = registerServiceWorker(base, version);
	await loadFonts();
	if (isServicePath(location.pathname.slice(base.length))) await registered;
};
