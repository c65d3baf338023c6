import { createServer } from 'node:https';
import { fileURLToPath } from 'node:url';
import { loadPages } from '#hosts/node/kit-pages.server.ts';
import { setSharedService } from '#hosts/node-service.server.ts';
import type { Service } from '#service/service.ts';
import { testCertificate } from '../certificate.ts';

/** A built kit host that listens. */
export type BuiltKit = { readonly origin: string; readonly port: number; close(): Promise<void> };

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Serves the built kit host alone: its pages behind a plain HTTPS server, nothing of the node host in front.
 * One a process: SvelteKit's bundle has one service.
 * @param service the service behind its endpoints. Default: its own
 */
export async function serveBuiltKit(service?: (origin: string) => Service): Promise<BuiltKit> {
	const { certificate } = await testCertificate();
	const server = createServer({ ...certificate });
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	const origin = `https://localhost:${port}`;
	if (service) setSharedService(service(origin));
	const handler = await loadPages(`${root}build/kit`, origin);
	server.on('request', (request, response) => {
		void handler(request, response, () => response.writeHead(404).end());
	});
	return {
		origin,
		port,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			})
	};
}
