import { resolve } from '$app/paths';
import type { LayoutLoad } from './$types';

/** The page has the origins in it, so the browser does not request them. Static files have no setting. */
export const load: LayoutLoad = async ({ fetch }) => {
	if (__BROWSER_HOST__) return { needsService: false, origins: [] };
	const response = await fetch(`${resolve('/')}embed/origins.json`);
	const found: unknown = await response.json();
	return { needsService: false, origins: Array.isArray(found) ? found.map(String) : [] };
};
