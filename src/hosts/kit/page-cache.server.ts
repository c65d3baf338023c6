import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptsEncoding } from '../accepts-encoding.ts';

type Page = {
	readonly status: number;
	readonly headers: Headers;
	readonly body: Uint8Array<ArrayBuffer>;
	readonly gzipped: Uint8Array<ArrayBuffer>;
};

const maxPages = 500;
/** The most that all pages have together, in bytes. Those of a world with large logos are large. */
const maxBytes = 32 * 1024 * 1024;
const pages = new Map<string, Promise<Page | undefined>>();
let bytes = 0;
const compress = promisify(gzip);

/**
 * Renders each page of the app once, because its HTML depends on its path and its sandbox's permissions and characters only, and compresses it if the client accepts gzip.
 * Documents of the service are not pages: they differ for each user, and compressed, their length would reveal the secrets in
 * them (BREACH).
 * @param key the same for requests of the same page
 */
export async function renderOnce(request: Request, key: string, render: () => Promise<Response>): Promise<Response> {
	if (request.method !== 'GET' && request.method !== 'HEAD') return render();
	const pending = pages.get(key);
	const known = pending && (await pending);
	if (known) return toResponse(request, known);
	const response = render();
	const reading = response.then(readPage);
	if (pages.size === maxPages) clear();
	pages.set(key, reading);
	const page = await reading.catch(() => undefined);
	if (page === undefined) {
		pages.delete(key);
		return response;
	}
	bytes += page.body.length + page.gzipped.length;
	if (bytes > maxBytes) {
		clear();
		pages.set(key, reading);
		bytes = page.body.length + page.gzipped.length;
	}
	return toResponse(request, page);
}

function clear(): void {
	pages.clear();
	bytes = 0;
}

function toResponse(request: Request, { status, headers, body, gzipped }: Page): Response {
	const acceptsGzip = acceptsEncoding(request.headers.get('accept-encoding') ?? '', 'gzip');
	const sent = new Headers(headers);
	if (acceptsGzip) sent.set('content-encoding', 'gzip');
	sent.set('content-length', String((acceptsGzip ? gzipped : body).length));
	return new Response(acceptsGzip ? gzipped : body, { status, headers: sent });
}

/** Undefined for anything other than a page, whose body is not read then. */
async function readPage(response: Response): Promise<Page | undefined> {
	const { status, headers } = response;
	const isPage = headers.get('x-sveltekit-page') === 'true' && (status === 200 || status === 404);
	if (!isPage) return undefined;
	const body = new Uint8Array(await response.arrayBuffer());
	headers.append('vary', 'Accept-Encoding');
	return { status, headers, body, gzipped: new Uint8Array(await compress(body)) };
}
