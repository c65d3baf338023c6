/**
 * Title and explanation of the error page.
 * @param status HTTP status
 */
export function errorText(status: number): { readonly title: string; readonly why: string } {
	if (status === 404) return { title: 'Page not found', why: 'There is no page at this URL. Check its spelling.' };
	if (status === 403)
		return { title: 'Access denied', why: 'This page belongs to another user or to a sandbox that needs a key.' };
	if (status === 503)
		return {
			title: 'Service unavailable',
			why: 'The server is overloaded or is shutting down. Try again in a moment.'
		};
	if (status >= 500 && __BROWSER_HOST__)
		return { title: 'Page error', why: 'This page could not be shown. No data was lost. Reload the page.' };
	if (status >= 500)
		return {
			title: 'Server error',
			why: 'The server could not render this page. The error was logged. No data was lost.'
		};
	return { title: 'Request rejected', why: 'The server did not accept this request.' };
}
