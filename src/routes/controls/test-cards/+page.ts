import { redirect } from '@sveltejs/kit';
import type { PageLoad } from './$types';

/** The page of the faults has the test cards. */
export const load: PageLoad = ({ url }) =>
	redirect(308, url.pathname.replace(/\/test-cards\/?$/, '/faults#test-cards'));
