import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptsEncoding } from '../accepts-encoding.ts';

type Page = {
	readonly status: number;
	readonly headers: Headers;
	readonly compressed: Compressed;
};

const maxPages = 500;
/** The most that all pages have together, in bytes. Those of a world with large logos are large. */
const maxBytes = 32 * 1024 * 1024;
const pages = new Map<string, Promise<Page | undefined>>();
let bytes = 0;

/**
 * Renders each page of the app once, because its HTML depends on its path and its sandbox's permissions and characters only, and compresses it.
 * Documents of the service are not pages: they differ for each user, and compressed, their length would reveal the secrets in
 * them (BREACH).
 * @param key the same for requests of the same page
 */
export async function renderOnce(request: Request, key: string, render: () => Promise<Response>): Promise<Response> {
	if (request.method !== 'GET' && request.method !== 'HEAD') return render();
	const pending = pages.get(key);
	const known = pending && (await pending);
	if (known) return respondCompressed(request, known.compressed, known);
	const response = render();
	const reading = response.then(readPage);
	if (pages.size === maxPages) clear();
	pages.set(key, reading);
	const page = await reading.catch(() => undefined);
	if (page === undefined) {
		pages.delete(key);
		return response;
	}
	bytes += sizeOf(page);
	if (bytes > maxBytes) {
		clear();
		pages.set(key, reading);
		bytes = sizeOf(page);
	}
	return respondCompressed(request, page.compressed, page);
}

function clear(): void {
	pages.clear();
	bytes = 0;
}

/** In bytes, in all codings together. */
function sizeOf({ compressed: { plain, codings } }: Page): number {
	return codings.reduce((sum, { body }) => sum + body.length, plain.length);
}

/** Undefined for anything other than a page, whose body is not read then. */
async function readPage(response: Response): Promise<Page | undefined> {
	const { status, headers } = response;
	const isPage = headers.get('x-sveltekit-page') === 'true' && (status === 200 || status === 404);
	if (!isPage) return undefined;
	const body = new Uint8Array(await response.arrayBuffer());
	return { status, headers, compressed: await compress(body) };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** A body without compression and in each content coding, the smallest first. */
export type Compressed = {
	readonly plain: Bytes;
	readonly codings: readonly { readonly name: 'br' | 'gzip'; readonly body: Bytes }[];
};

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/** The quality of Brotli: 11 takes 90 ms for a usual page, 7 takes 60 ms. Those with large logos would take much longer. */
const brotliOptions = ({ length }: Bytes) => ({
	params: { [constants.BROTLI_PARAM_QUALITY]: length < 100_000 ? 11 : 7 }
});

/** Compresses a body that many responses have, because that takes longer than the rest of a request. */
export async function compress(plain: Bytes): Promise<Compressed> {
	const [brotli, gzipped] = await Promise.all([compressBrotli(plain, brotliOptions(plain)), compressGzip(plain)]);
	return {
		plain,
		codings: [
			{ name: 'br', body: new Uint8Array(brotli) },
			{ name: 'gzip', body: new Uint8Array(gzipped) }
		]
	};
}

/**
 * Responds in the smallest coding that the client accepts.
 * @param init without the headers of the coding and of the length
 */
export function respondCompressed(
	request: Request,
	{ plain, codings }: Compressed,
	init: { readonly status?: number; readonly headers: HeadersInit }
): Response {
	const accepted = request.headers.get('accept-encoding') ?? '';
	const coding = codings.find(({ name }) => acceptsEncoding(accepted, name));
	const body = coding?.body ?? plain;
	const headers = new Headers(init.headers);
	headers.append('vary', 'Accept-Encoding');
	if (coding !== undefined) headers.set('content-encoding', coding.name);
	headers.set('content-length', String(body.length));
	return new Response(body, { ...init, headers });
}
