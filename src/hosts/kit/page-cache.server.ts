import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A rendered page. */
type Page = {
	readonly status: number;
	readonly headers: Headers;
	readonly body: Uint8Array<ArrayBuffer>;
	readonly gzipped: Uint8Array<ArrayBuffer>;
};

const maxPages = 500;
const pages = new Map<string, Page>();
const compress = promisify(gzip);

/**
 * Renders each page of the app once, because its HTML depends on its path only, and compresses it if the client accepts gzip.
 * Documents of the service are not pages: they differ for each user, and compressed, their length would reveal the secrets in
 * them (BREACH).
 * @param key the same for requests of the same page
 */
export async function renderOnce(request: Request, key: string, render: () => Promise<Response>): Promise<Response> {
	if (request.method !== 'GET' && request.method !== 'HEAD') return render();
	let page = pages.get(key);
	if (page === undefined) {
		const response = await render();
		const isPage = response.headers.get('x-sveltekit-page') === 'true';
		if (!isPage || (response.status !== 200 && response.status !== 404)) return response;
		page = await readPage(response);
		if (pages.size === maxPages) pages.clear();
		pages.set(key, page);
	}
	const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers.get('accept-encoding') ?? '');
	const body = acceptsGzip ? page.gzipped : page.body;
	const headers = new Headers(page.headers);
	headers.set('content-length', String(body.length));
	if (acceptsGzip) headers.set('content-encoding', 'gzip');
	return new Response(body, { status: page.status, headers });
}

async function readPage(response: Response): Promise<Page> {
	const { status, headers } = response;
	const body = new Uint8Array(await response.arrayBuffer());
	headers.append('vary', 'Accept-Encoding');
	return { status, headers, body, gzipped: new Uint8Array(await compress(body)) };
}
