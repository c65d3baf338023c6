import { browser } from '$app/environment';
import { base } from '$app/paths';
import { fetchWorld, fetchWorldOnce } from '#client/world.ts';
import { readAppLocation } from '#features/shell/app-location.ts';
import type { LayoutLoad } from './$types';
import type { PublicWorld } from '#api/control/world.ts';
import { setHostStatus } from '#hosts/browser/host-status.svelte.ts';
import { readWorldFile } from '#hosts/browser/world-file.ts';

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

let reading: Promise<PublicWorld> | undefined;

/**
 * The world of this site for its pages, before the service has started: that of `world.json` beside `index.html`. The demo world
 * where there is no such file, or where it has a mistake, which the host status then shows.
 * @param base path of the app, without a trailing slash
 */
function readSiteWorld(base: string): Promise<PublicWorld> {
	return (reading ??= read(base));
}

async function read(base: string): Promise<PublicWorld> {
	const text = await readWorldFile(base).catch(() => undefined);
	if (text === undefined) return __DEMO_WORLD__;
	// Few sites have a world of their own.
	const { parseWorld } = await import('#hosts/browser/parse-world.ts');
	const parsed = parseWorld(text);
	if (parsed.world !== undefined) return parsed.shown;
	setHostStatus({ worldMistake: parsed.mistake });
	return __DEMO_WORLD__;
}
