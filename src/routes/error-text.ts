/**
 * What happened and why, in words, for a page that could not be shown.
 * @param status the HTTP status
 * @param path the address that was asked for
 */
export function explain(status: number, path: string): { readonly title: string; readonly why: string } {
	if (status === 404)
		return {
			title: 'No page here',
			why: `There is nothing at ${path}. It may have moved, or the address is mistyped.`
		};
	if (status === 403)
		return {
			title: 'Not for you',
			why: 'This page belongs to somebody else, or to a sandbox whose key you do not have.'
		};
	if (status === 503)
		return {
			title: 'Not just now',
			why: 'The server has too much to do, or is about to stop. It will answer again in a moment.'
		};
	if (status >= 500)
		return {
			title: 'The page failed',
			why: 'Something in Tollgate itself went wrong. It was logged, and nothing that you did was lost.'
		};
	return { title: 'That did not work', why: 'The server did not accept this request for a page.' };
}
