import { resolve } from '$app/paths';
import type { Reroute } from '@sveltejs/kit';

/** Each page and endpoint also exists below the base URL of each sandbox: `/~k3v9x2q7/viewer` is `/viewer`. */
export const reroute: Reroute = ({ url }) => {
	const base = resolve('/').replace(/\/$/, '');
	const below = url.pathname.slice(base.length);
	const path = below.replace(/^\/~[^/]*/, '');
	// SvelteKit would request the original URL from the network for a rerouted path that is prerendered. Those of pages end
	// with a slash.
	if (path === '/service.css' || path === '/openapi.json' || path === '/program-frame.html') return url.pathname;
	if (path !== below && path.startsWith('/docs/')) return base + path.replace(/\/$/, '');
	return `${base}${path === '' ? '/' : path}`;
};
