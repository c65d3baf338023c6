import { base } from '$app/paths';
import { registerServiceWorker } from '#hosts/browser/register.ts';
import { isServicePath } from '#api/service-path.ts';
import type { ClientInit } from '@sveltejs/kit';

/** In the static build a page of the service comes from the service worker. The app would change its URL, so it must not start. */
export const init: ClientInit = async () => {
	if (!__BROWSER_HOST__) return;
	const registered = registerServiceWorker(base);
	if (isServicePath(location.pathname.slice(base.length))) await registered;
};
