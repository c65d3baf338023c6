import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { acceptsEncoding } from '../accepts-encoding.ts';
import type { PageHandler } from './pages.server.ts';

/** Below which the build puts files whose names change with their content. */
const path = '/_app/immutable/';
const types = new Map([
	['.js', 'text/javascript'],
	['.css', 'text/css'],
	['.woff2', 'font/woff2']
]);
/** The codings that the build compresses with, the smallest first: the name in HTTP, the file's suffix. */
const codings = [
	['br', '.br'],
	['gzip', '.gz']
] as const;

type File = {
	readonly headers: Readonly<Record<string, string | number>> & { readonly 'Content-Type': string };
	readonly body: Buffer;
};

/** A file by coding. The empty name is the plain form. */
type Variants = Map<string, File>;

/**
 * Serves the immutable files of the pages from memory. A handler that reads them from the disk opens one for each request, which
 * makes downloads that are broken off expensive (attack F2).
 * @param clientFolder the client files of the pages' build
 * @param pages handles all other requests
 * @throws Error if the folder cannot be read
 */
export function serveImmutableFiles(clientFolder: string, pages: PageHandler): PageHandler {
	const files = readFiles(join(clientFolder, path));
	return (request, response, next) => {
		const url = request.url ?? '';
		const isRead = request.method === 'GET' || request.method === 'HEAD';
		const variants = isRead && url.startsWith(path) ? files.get(url.slice(path.length).split('?')[0] ?? '') : undefined;
		if (variants === undefined) return pages(request, response, next);
		return send(request, response, variants);
	};
}

function send(request: IncomingMessage, response: ServerResponse, variants: Variants): void {
	const accepted = request.headers['accept-encoding'] ?? '';
	const [coding] = codings.find(([name]) => variants.has(name) && acceptsEncoding(accepted, name)) ?? [''];
	const file = variants.get(coding) ?? addPlain(variants);
	if (file === undefined) return;
	response.writeHead(200, file.headers);
	response.end(request.method === 'HEAD' ? undefined : file.body);
}

/** Each file by its path below the folder, in each coding. */
function readFiles(folder: string): ReadonlyMap<string, Variants> {
	const files = new Map<string, Variants>();
	for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
		const path = entry.replaceAll('\\', '/');
		const [coding, suffix] = codings.find(([, suffix]) => path.endsWith(suffix)) ?? ['', ''];
		const name = path.slice(0, path.length - suffix.length);
		const type = types.get(extname(name));
		if (type === undefined) continue;
		const variants = files.get(name) ?? new Map<string, File>();
		files.set(name, variants.set(coding, createFile(readFileSync(join(folder, entry)), type, coding)));
	}
	return files;
}

/** Keeps the plain form of a file that the package has in Brotli only. Few clients ask for it. */
function addPlain(variants: Variants): File | undefined {
	const brotli = variants.get('br');
	if (brotli === undefined) return undefined;
	const plain = createFile(brotliDecompressSync(brotli.body), brotli.headers['Content-Type'], '');
	variants.set('', plain);
	return plain;
}

function createFile(body: Buffer, type: string, coding: string): File {
	const headers = {
		'Content-Type': type,
		'Content-Length': body.length,
		'Cache-Control': 'public,max-age=31536000,immutable',
		// Frames without an origin of their own get scripts and fonts as another site does.
		'Access-Control-Allow-Origin': '*',
		Vary: 'Accept-Encoding',
		...(coding === '' ? {} : { 'Content-Encoding': coding })
	};
	return { headers, body };
}
