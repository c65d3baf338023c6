import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
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

/** A file with its headers. */
type File = { readonly headers: Readonly<Record<string, string | number>>; readonly body: Buffer };

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

function send(request: IncomingMessage, response: ServerResponse, variants: ReadonlyMap<string, File>): void {
	const accepted = request.headers['accept-encoding'] ?? '';
	const [coding] = codings.find(([name]) => variants.has(name) && acceptsEncoding(accepted, name)) ?? [''];
	const file = variants.get(coding);
	if (file === undefined) return;
	response.writeHead(200, file.headers);
	response.end(request.method === 'HEAD' ? undefined : file.body);
}

/** Each file by its path below the folder, in each coding. */
function readFiles(folder: string): ReadonlyMap<string, ReadonlyMap<string, File>> {
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
	const known = new Set(names);
	return new Map(
		names.flatMap((name) => {
			const type = types.get(extname(name));
			if (type === undefined) return [];
			const compressed = codings.filter(([, suffix]) => known.has(name + suffix));
			const variants = [['', ''] as const, ...compressed].map(([coding, suffix]): [string, File] => [
				coding,
				readFile(join(folder, name + suffix), type, coding)
			]);
			return [[name, new Map(variants)]];
		})
	);
}

function readFile(file: string, type: string, coding: string): File {
	const body = readFileSync(file);
	const headers = {
		'Content-Type': type,
		'Content-Length': body.length,
		'Cache-Control': 'public,max-age=31536000,immutable',
		Vary: 'Accept-Encoding',
		...(coding === '' ? {} : { 'Content-Encoding': coding })
	};
	return { headers, body };
}
