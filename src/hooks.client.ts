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

/** In the static build a page of the service comes from the service worker. The app would change its URL, so it must not start. */
export const init: ClientInit = async () => {
	if (!__BROWSER_HOST__) return;
	const registered = registerServiceWorker(base, version);
	if (isServicePath(location.pathname.slice(base.length))) await registered;
};
