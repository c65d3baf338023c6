import { base } from '$app/paths';
import { fetchWorld, type World } from '#client/world.ts';
import type { RequestEvent } from '@sveltejs/kit';

// The static build has a file, which gets the brand of a world when it is written for one.
export const prerender = __BROWSER_HOST__;

/** The web app manifest, with the brand of the world. */
export async function GET({ url, fetch }: RequestEvent): Promise<Response> {
	const { brand } = __BROWSER_HOST__ ? __DEMO_WORLD__ : await fetchWorld(url.origin + base, fetch);
	const body = JSON.stringify(manifestOf(brand), undefined, '\t');
	return new Response(`${body}\n`, { headers: { 'Content-Type': 'application/manifest+json' } });
}

function manifestOf({ name, tagline, logo, accent }: World['brand']): object {
	return {
		name,
		short_name: name,
		description: tagline ?? 'Learn, demonstrate and teach OAuth 2.0 and rate limiting.',
		start_url: './',
		scope: './',
		display: 'minimal-ui',
		background_color: '#fbfbfc',
		theme_color: accent?.light ?? '#fbfbfc',
		icons:
			logo === undefined
				? [
						{ src: 'favicon.svg', sizes: 'any', type: 'image/svg+xml' },
						{ src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
						{ src: 'icon-512.png', sizes: '512x512', type: 'image/png' }
					]
				: [{ src: logo.light, sizes: 'any' }]
	};
}
