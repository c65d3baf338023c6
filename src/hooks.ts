import { resolve } from '$app/paths';
import type { Reroute } from '@sveltejs/kit';

/** Each page and endpoint also exists below the base URL of each sandbox: `/~k3v9x2q7/viewer` is `/viewer`. */
export const reroute: Reroute = ({ url }) => {
	const base = resolve('/').replace(/\/$/, '');
	const path = url.pathname.slice(base.length).replace(/^\/~[^/]*/, '');
	// This file is prerendered. SvelteKit would request the original URL from the network for a rerouted one.
	if (path === '/service.css') return url.pathname;
	return `${base}${path === '' ? '/' : path}`;
};
