import { pathToFileURL } from 'node:url';
import type { PageHandler } from './pages.server.ts';

/**
 * Loads the pages: SvelteKit's handler as adapter-node built it.
 * @param file the built `handler.js`
 * @param origin `https://host[:port]`; the handler would otherwise believe any `Host`
 * @throws Error if the file is missing or exports no handler
 */
export async function loadKitHandler(file: string, origin: string): Promise<PageHandler> {
	process.env.ORIGIN = origin;
	// Address, protocol and host come from this server, never from headers that any client can send.
	for (const name of ['ADDRESS_HEADER', 'PROTOCOL_HEADER', 'HOST_HEADER', 'PORT_HEADER']) delete process.env[name];
	// The handler reads its origin while it is loaded, so each origin gets its own module.
	const module: unknown = await import(
		/* @vite-ignore */ `${pathToFileURL(file).href}?origin=${encodeURIComponent(origin)}`
	);
	if (typeof module === 'object' && module !== null && 'handler' in module && isHandler(module.handler)) {
		return module.handler;
	}
	throw new Error(`${file} exports no handler.`);
}

function isHandler(value: unknown): value is PageHandler {
	return typeof value === 'function';
}
