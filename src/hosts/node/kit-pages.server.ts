import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Server, SSRManifest } from '@sveltejs/kit';
import { getRequest, setResponse } from '@sveltejs/kit/node';
import { bodyLimit, type PageHandler } from './pages.server.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { acceptsEncoding } from '../accepts-encoding.ts';

/** What `svelte.config.js` makes of SvelteKit's server. */
type BuiltServer = { readonly Server: typeof Server; readonly manifest: SSRManifest };

/**
 * Loads the built pages.
 * @param folder `build/kit`
 * @param origin `https://host[:port]`; SvelteKit would otherwise believe any `Host`
 * @throws Error if the build is missing or has no server
 */
export async function loadPages(folder: string, origin: string): Promise<PageHandler> {
	const module: unknown = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'server.js')).href);
	if (!isBuiltServer(module)) throw new Error(`${folder} has no server.`);
	const server = new module.Server(module.manifest);
	await server.init({ env: toStrings(process.env) });
	return serveClientFiles(join(folder, 'client'), async (request, response) => {
		const sent = await getRequest({ base: origin, request, bodySizeLimit: bodyLimit }).catch(() => undefined);
		if (sent === undefined) {
			// Its method or its target is none that a page could have.
			response.writeHead(400).end('Bad Request');
			return;
		}
		// The address comes from this connection, never from headers that any client can send.
		const getClientAddress = () => request.socket.remoteAddress ?? '';
		await setResponse(response, await server.respond(sent, { platform: { req: request }, getClientAddress }));
	});
}

function isBuiltServer(module: unknown): module is BuiltServer {
	return typeof module === 'object' && module !== null && 'Server' in module && 'manifest' in module;
}

function toStrings(env: NodeJS.ProcessEnv): Record<string, string> {
	return Object.fromEntries(
		Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
	);
}

/** Below which the build puts files whose names change with their content. */
const immutablePath = '/_app/immutable/';
const types = new Map([
	['.js', 'text/javascript'],
	['.css', 'text/css'],
	['.json', 'application/json'],
	['.svg', 'image/svg+xml'],
	['.png', 'image/png'],
	['.woff2', 'font/woff2']
]);

/** A file of a page, plain, in Brotli or both. */
class ClientFile {
	readonly #headers: Readonly<Record<string, string>>;
	readonly #etag: string | undefined;
	#plain: Buffer | undefined;
	readonly #brotli: Buffer | undefined;

	/** @param name its path in the folder of the build, with slashes */
	constructor(folder: string, name: string, type: string) {
		const path = join(folder, name);
		this.#plain = existsSync(path) ? readFileSync(path) : undefined;
		this.#brotli = existsSync(`${path}.br`) ? readFileSync(`${path}.br`) : undefined;
		const isImmutable = `/${name}`.startsWith(immutablePath);
		this.#etag = isImmutable ? undefined : `"${hash('sha256', this.#plain ?? name, 'base64url').slice(0, 16)}"`;
		this.#headers = {
			'Content-Type': type,
			Vary: 'Accept-Encoding',
			...(isImmutable && {
				'Cache-Control': 'public,max-age=31536000,immutable',
				// Frames without an origin of their own get scripts and fonts as another site does.
				'Access-Control-Allow-Origin': '*'
			}),
			...(this.#etag !== undefined && { 'Cache-Control': 'no-cache', ETag: this.#etag })
		};
	}

	send(request: IncomingMessage, response: ServerResponse): void {
		if (this.#etag !== undefined && request.headers['if-none-match'] === this.#etag) {
			response.writeHead(304, this.#headers).end();
			return;
		}
		const brotli = acceptsEncoding(request.headers['accept-encoding'] ?? '', 'br') ? this.#brotli : undefined;
		const body = brotli ?? this.#decompressed();
		const coding = brotli === undefined ? {} : { 'Content-Encoding': 'br' };
		response.writeHead(200, { ...this.#headers, 'Content-Length': body.length, ...coding });
		response.end(request.method === 'HEAD' ? undefined : body);
	}

	/** The package has the files of pages in Brotli only. Few clients ask for the plain form. */
	#decompressed(): Buffer {
		return (this.#plain ??= brotliDecompressSync(this.#brotli ?? Buffer.alloc(0)));
	}
}

/**
 * Serves the files of the pages from memory. A handler that reads them from the disk opens one for each request, which makes downloads
 * that are broken off expensive (attack F2).
 * @param folder the files of the pages' build
 * @param pages handles all other requests
 * @throws Error if the folder cannot be read
 */
export function serveClientFiles(folder: string, pages: PageHandler): PageHandler {
	const files = readFiles(folder);
	return (request, response, next) => {
		const isRead = request.method === 'GET' || request.method === 'HEAD';
		const file = isRead ? files.get(request.url?.split('?')[0] ?? '') : undefined;
		return file === undefined ? pages(request, response, next) : file.send(request, response);
	};
}

/** Each file by its path in a URL. */
function readFiles(folder: string): ReadonlyMap<string, ClientFile> {
	const files = new Map<string, ClientFile>();
	for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
		const name = entry.replaceAll('\\', '/').replace(/\.br$/, '');
		const type = types.get(extname(name));
		if (type !== undefined && !files.has(`/${name}`)) files.set(`/${name}`, new ClientFile(folder, name, type));
	}
	return files;
}
