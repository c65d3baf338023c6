/**
 * The same response with its body packed, where that is a page of the application and the client takes gzip.
 * Never the service's own documents: what they hold of secrets must not show in their length (BREACH).
 * @param request what was asked
 * @param response SvelteKit's answer
 */
export function compressed(request: Request, response: Response): Response {
	const isPage = response.headers.get('x-sveltekit-page') === 'true';
	const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers.get('accept-encoding') ?? '');
	if (!isPage || !takesGzip || response.body === null || response.headers.has('content-encoding')) return response;
	const headers = new Headers(response.headers);
	headers.set('content-encoding', 'gzip');
	headers.append('vary', 'Accept-Encoding');
	headers.delete('content-length');
	const body = response.body.pipeThrough(new CompressionStream('gzip'));
	return new Response(body, { status: response.status, statusText: response.statusText, headers });
}
