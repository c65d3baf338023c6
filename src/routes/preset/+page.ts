import { building } from '$app/environment';
import { base } from '$app/paths';
import { fetchWorld } from '#client/world.ts';
import { readAppLocation } from '#features/shell/app-location.ts';
import type { PageLoad } from './$types';

/** The page of a share link has the world of the sandboxes that it creates, also for programs that show a preview of the link. */
export const load: PageLoad = async ({ url, fetch }) => {
	// A page that is rendered at build time has no query.
	const share = building ? undefined : /^[\w-]{1,40}$/.exec(url.searchParams.get('share') ?? '')?.[0];
	if (share === undefined) return { share };
	// The page says why a link does not work.
	const world = await fetchWorld(readAppLocation(url, base).rootUrl, fetch, share).catch(() => undefined);
	return { share, ...(world && { world }) };
};
