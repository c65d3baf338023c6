/**
 * Compresses a page of the app if the client accepts gzip. Documents of the service are not compressed: their length would
 * reveal the secrets in them (BREACH).
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
