/**
 * Whether a page of another site sent a request. Only navigations can come from one: the worker sees no other requests of pages
 * that it does not control. Our own pages send their URL as the referrer (SC-06).
 */
export function isCrossSite(request: Request): boolean {
	if (request.mode !== 'navigate') return false;
	const source = request.headers.get('origin') ?? request.referrer;
	if (source === '') return request.method !== 'GET';
	return !URL.canParse(source) || new URL(source).origin !== new URL(request.url).origin;
}

/**
 * The headers that a browser adds after the service worker: `Sec-Fetch-*`, `Origin` and `Referer` (Fetch, section 2.2.5 and 3.2).
 * @returns flat list (name, value, …)
 */
export function browserHeaders(request: Request): string[] {
	const isNavigation = request.mode === 'navigate';
	const site = isCrossSite(request) ? 'cross-site' : isNavigation && request.referrer === '' ? 'none' : 'same-origin';
	const headers = [
		'Sec-Fetch-Site',
		site,
		'Sec-Fetch-Mode',
		request.mode === 'same-origin' ? 'cors' : request.mode, // what the scripts asked for: see network-guard.js
		'Sec-Fetch-Dest',
		request.destination === '' ? 'empty' : request.destination,
		...(/^https?:/.test(request.referrer) ? ['Referer', request.referrer] : [])
	];
	if (request.method === 'GET' || request.method === 'HEAD' || request.headers.has('origin')) return headers;
	return ['Origin', isCrossSite(request) ? 'null' : new URL(request.url).origin, ...headers];
}
