import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptsEncoding } from '../accepts-encoding.ts';

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
