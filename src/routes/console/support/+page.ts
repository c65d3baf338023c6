import { redirect } from '@sveltejs/kit';
import type { PageLoad } from './$types';

/** The page of the rate limits has the tickets. */
export const load: PageLoad = ({ url }) => redirect(308, url.pathname.replace(/\/support\/?$/, '/rate-limits#support'));
