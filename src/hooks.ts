import { version } from '$app/environment';
import { resolve } from '$app/paths';
import { browserHost } from '#hosts/browser/boot.ts';
import { hasSandboxPrefix, isServicePath } from '#service/service.ts';
import type { Reroute } from '@sveltejs/kit';

/**
 * Every page and endpoint stands below each sandbox's base URL too: `/~k3v9x2q7/viewer` is `/viewer`. Where there is no server,
 * one page shows what the service answers, for a sandbox that does not exist too.
 */
export const reroute: Reroute = async ({ url }) => {
	const base = resolve('/').replace(/\/$/, '');
	const below = url.pathname.slice(base.length);
	if (__BROWSER_HOST__ && (isServicePath(below) || (await isAstray(below, base)))) return `${base}/in-browser`;
	const path = below.replace(/^\/~[^/]*/, '');
	// This file stands once, made while building: for one that stands elsewhere SvelteKit would ask its own origin.
	if (path === '/service.css') return url.pathname;
	return `${base}${path === '' ? '/' : path}`;
};

async function isAstray(below: string, base: string): Promise<boolean> {
	if (!hasSandboxPrefix(below)) return false;
	return (await browserHost({ base, version })).lacks(below);
}
