import { error } from '@sveltejs/kit';

/** The service's paths, with and without a slash, are its own affair. */
export const trailingSlash = 'ignore';

/** Where a server answers for the service, there is no such page. */
export const load = () => {
	if (!__BROWSER_HOST__) error(404);
};
