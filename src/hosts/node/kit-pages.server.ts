import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Server, SSRManifest } from '@sveltejs/kit';
import { getRequest, setResponse } from '@sveltejs/kit/node';
import { serveClientFiles } from './client-files.server.ts';
import { bodyLimit, type PageHandler } from './pages.server.ts';

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
