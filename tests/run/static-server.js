// A static file server, as any web host: compressed, and with an ETag, so that unchanged files are sent once. It records the requests.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SlowNetwork } from './slow-network.js';

/** @typedef {{ method: string, target: string, body: string }} ReceivedRequest */

/**
 * @typedef {object} StaticServer
 * @property {string} origin `http://localhost:PORT`
 * @property {SlowNetwork} network between the server and the browser
 * @property {ReceivedRequest[]} requests all requests that came over the network
 * @property {(path: string, change: Change | undefined) => void} change replaces the response for a path. undefined: restores it
 * @property {(folder: string) => void} deploy replaces the folder that is served, as a new version of the site
 * @property {(path: string, folder: string) => void} add serves another folder below a path, like another deployment on this origin
 * @property {() => number} transferred bytes of the files sent, compressed. A file that was sent twice counts once: whether it is depends on whether page or worker is first
 * @property {() => Promise<void>} close
 */

/** @typedef {(body: string) => string | undefined | Promise<string | undefined>} Change returns another body. undefined: status 404 */

const types = new Map([
	['.html', 'text/html; charset=utf-8'],
	['.js', 'text/javascript; charset=utf-8'],
	['.css', 'text/css; charset=utf-8'],
	['.json', 'application/json'],
	['.webmanifest', 'application/manifest+json'],
	['.svg', 'image/svg+xml'],
	['.png', 'image/png'],
	['.woff2', 'font/woff2']
]);
const incompressible = new Set(['.png', '.woff2']);

/**
 * Serves a folder. Missing files get its `404.html`, with that status.
 * @param {string} folder
 * @param {string} [base] the path that it is served below: `/demo`
 * @returns {Promise<StaticServer>}
 */
export function serveStatic(folder, base = '') {
	/** @type {ReceivedRequest[]} */
	const requests = [];
	/** @type {Map<string, Change>} */
	const changes = new Map();
	/** Compressed bodies, by ETag. @type {Map<string, Buffer>} */
	const compressed = new Map();
	const sites = [{ base, folder }];
	/** Length of each body that was sent, by path and ETag. @type {Map<string, number>} */
	const sentBodies = new Map();
	const server = createServer((request, response) => {
		void respond(request, response).catch(() => response.destroy());
	});
	const network = new SlowNetwork(server);

	/**
	 * @param {import('node:http').IncomingMessage} request
	 * @param {import('node:http').ServerResponse} response
	 */
	async function respond(request, response) {
		const target = request.url ?? '/';
		const body = await bodyOf(request);
		requests.push({ method: request.method ?? '', target, body });
		const { pathname } = new URL(target, 'http://localhost');
		const site = sites.find(({ base }) => `${pathname}/`.startsWith(`${base}/`)) ?? { base, folder };
		const { base: own } = site;
		if (own !== '' && pathname === own) {
			await network.send(response, 301, { Location: `${own}/` });
			return;
		}
		const below = pathname.startsWith(`${own}/`) ? pathname.slice(own.length) : undefined;
		const path = below?.endsWith('/') === true ? `${below}index.html` : below;
		const found =
			/^(GET|HEAD)$/.test(request.method ?? '') && path !== undefined ? await contentOf(site, path) : undefined;
		const content = found ?? (await contentOf(site, '/404.html')) ?? Buffer.from('');
		const extension = found === undefined ? '.html' : extname(path ?? '');
		const ETag = `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;
		const validity = {
			'Cache-Control': /\/immutable\//.test(pathname) ? 'public, max-age=31536000, immutable' : 'no-cache',
			ETag
		};
		if (found !== undefined && request.headers['if-none-match'] === ETag) {
			await network.send(response, 304, validity);
			return;
		}
		const isCompressed = !incompressible.has(extension);
		const sent = isCompressed ? compress(ETag, content) : content;
		if (found !== undefined && request.method !== 'HEAD') sentBodies.set(`${pathname} ${ETag}`, sent.length);
		const headers = {
			'Content-Type': types.get(extension) ?? 'application/octet-stream',
			'Content-Length': sent.length,
			...validity,
			...(isCompressed ? { 'Content-Encoding': 'gzip' } : {})
		};
		await network.send(response, found === undefined ? 404 : 200, headers, sent);
	}

	/**
	 * @param {string} tag
	 * @param {Buffer} content
	 */
	function compress(tag, content) {
		const known = compressed.get(tag) ?? gzipSync(content);
		compressed.set(tag, known);
		return known;
	}

	/**
	 * @param {{ base: string, folder: string }} site
	 * @param {string} path below the site's base
	 */
	async function contentOf({ base: own, folder }, path) {
		const change = own === base ? changes.get(path) : undefined;
		const content = await readFile(join(folder, normalize(decodeURIComponent(path)))).catch(() => undefined);
		if (change === undefined) return content;
		const changed = await change(content?.toString() ?? '');
		return changed === undefined ? undefined : Buffer.from(changed);
	}

	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, 'localhost', () => {
			const address = server.address();
			const port = typeof address === 'object' && address !== null ? address.port : 0;
			resolve({
				origin: `http://localhost:${port}`,
				network,
				requests,
				change(path, change) {
					if (change === undefined) changes.delete(path);
					else changes.set(path, change);
				},
				deploy(folder) {
					for (const site of sites) if (site.base === base) site.folder = folder;
				},
				add: (base, folder) => void sites.unshift({ base, folder }),
				transferred: () => [...sentBodies.values()].reduce((sum, length) => sum + length, 0),
				close: () =>
					new Promise((done) => {
						server.close(() => done());
						server.closeAllConnections();
					})
			});
		});
	});
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<string>}
 */
async function bodyOf(request) {
	const chunks = [];
	for await (const chunk of request) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}
