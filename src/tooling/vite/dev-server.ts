import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { Plugin } from 'vite';
import { localCertificate } from '#hosts/tls/local-certificate.server.ts';
import { readConfig } from '#hosts/config.server.ts';
import { devRequests } from '#hosts/kit/raw-request.server.ts';

/**
 * Vite's plugin for `npm run dev`: the address, port and certificate that `npm start` has, and Node's own request for the
 * service's endpoints (raw target, headers sent twice, a socket to destroy).
 * @param root the project's folder
 */
export function devHost(root: string): Plugin {
	return {
		name: 'tollgate-dev-host',
		apply: (_config, { command, mode, isPreview }) => command === 'serve' && mode !== 'test' && isPreview !== true,
		async config() {
			const { port, host, origin, dataFolder } = readConfig(process.env, root);
			process.env.ORIGIN = origin;
			const { key, cert } = await localCertificate(dataFolder, [new URL(origin).hostname], Date.now());
			// HTTP/1.1 as on the node host; and the service answers preflights itself.
			return {
				server: { host, port, strictPort: true, cors: false, https: { key, cert, ALPNProtocols: ['http/1.1'] } }
			};
		},
		configureServer(server) {
			const requests = new AsyncLocalStorage<IncomingMessage>();
			Reflect.set(globalThis, devRequests, requests);
			server.middlewares.use((request, _response, next) => requests.run(request, next));
		}
	};
}
