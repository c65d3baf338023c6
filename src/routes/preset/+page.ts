import { building } from '$app/environment';
import { base } from '$app/paths';
import { toClientError } from '#client/oauth/client-error.ts';
import { fetchWorld } from '#client/world.ts';
import { readAppLocation } from '#features/shell/app-location.ts';
import type { PageLoad } from './$types';

/** The page of a share link has the world of the sandboxes that it creates, also for programs that show a preview of the link. */
export const load: PageLoad = async ({ url, fetch }) => {
	// A page that is rendered at build time has no query.
	const share = building ? undefined : /^[\w-]{1,40}$/.exec(url.searchParams.get('share') ?? '')?.[0];
	if (share === undefined) return { share };
	try {
		return { share, world: await fetchWorld(readAppLocation(url, base).rootUrl, fetch, share) };
	} catch (thrown) {
		// Other failures are shown when the visitor starts.
		return { share, hasEnded: toClientError(thrown).status === 404 };
	}
};
