import { browser } from '$app/environment';
import { base } from '$app/paths';
import { fetchWorld, fetchWorldOnce } from '#client/world.ts';
import { readSiteWorld } from '#hosts/browser/site-world.ts';
import { readAppLocation } from '#features/shell/app-location.ts';
import type { LayoutLoad } from './$types';

/** The server's copy is part of the page, so the browser does not request it again. */
export const load: LayoutLoad = async ({ url, fetch }) => {
	if (__BROWSER_HOST__ && !browser) return { world: __DEMO_WORLD__ };
	const { baseUrl, sandbox } = readAppLocation(url, base);
	if (__BROWSER_HOST__) {
		const world = await readSiteWorld(base);
		// Only a service that has started knows the world of a sandbox.
		// Browsers have service workers on pages with HTTPS only.
		const isServed = 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;
		if (sandbox === undefined || !isServed) return { world };
		return { world: await fetchWorldOnce(baseUrl, fetch).catch(() => world) };
	}
	return { world: await (browser ? fetchWorldOnce(baseUrl, fetch) : fetchWorld(baseUrl, fetch)) };
};
