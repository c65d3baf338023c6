import { redirect } from '@sveltejs/kit';
import type { PageLoad } from './$types';

/** The page of providers compares both dialects of our own, too. */
export const load: PageLoad = ({ url }) => {
	const difference = url.searchParams.get('difference');
	const more = difference === null ? '' : `&difference=${encodeURIComponent(difference)}`;
	redirect(308, url.pathname.replace(/\/standards\/?$/, `/providers?compare=specification,standard${more}`));
};
