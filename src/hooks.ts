import { resolve } from '$app/paths';
import { ownsTarget } from '#service/service.ts';
import type { Reroute } from '@sveltejs/kit';

/**
 * Every page and endpoint stands below each sandbox's base URL too: `/~k3v9x2q7/viewer` is `/viewer`. Where there is no server,
 * one page shows what the service answers.
 */
export const reroute: Reroute = ({ url }) => {
	const base = resolve('/').replace(/\/$/, '');
	const below = url.pathname.slice(base.length);
	if (__BROWSER_HOST__ && ownsTarget(below)) return `${base}/in-browser`;
	const path = below.replace(/^\/~[^/]*/, '');
	// This file stands once, made while building: for one that stands elsewhere SvelteKit would ask its own origin.
	if (path === '/service.css') return url.pathname;
	return `${base}${path === '' ? '/' : path}`;
};
