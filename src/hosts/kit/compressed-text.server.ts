import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { acceptsEncoding } from '../accepts-encoding.ts';

/**
 * Serves a text that never changes. It is compressed once, because sending it uncompressed takes most of the time of a request.
 * @param headers of each response
 * @returns responds in the smallest coding that the client accepts
 */
export function serveText(text: string, headers: Readonly<Record<string, string>>): (request: Request) => Response {
	const plain = new TextEncoder().encode(text);
	// A higher quality saves few bytes, and delays the first request.
	const brotli = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
	const codings = [
		['br', new Uint8Array(brotli)],
		['gzip', new Uint8Array(gzipSync(plain))]
	] as const;
	return (request) => {
		const accepted = request.headers.get('accept-encoding') ?? '';
		const [coding, body] = codings.find(([name]) => acceptsEncoding(accepted, name)) ?? [undefined, plain];
		const sent = new Headers({ ...headers, Vary: 'Accept-Encoding', 'Content-Length': String(body.length) });
		if (coding !== undefined) sent.set('Content-Encoding', coding);
		return new Response(body, { headers: sent });
	};
}
