import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { Plugin, ServerOptions } from 'vite';
import type * as configs from '#hosts/config.server.ts';
import { devRequests } from '#hosts/kit/raw-request.server.ts';
import { localCertificate } from '#hosts/tls/local-certificate.server.ts';
import { importSource } from '../import-source.js';

/**
 * Vite plugin of `npm run dev`. It uses the address, port and certificate of `npm start`, and passes Node's request to the
 * service's endpoints (raw target, repeated headers, the socket). `--host` and `--port` take precedence over `HOST` and `PORT`.
 * @param root the project's folder
 */
export function devServer(root: string): Plugin {
	return {
		name: 'tollgate-dev-server',
		apply: (_config, { command, isPreview }) =>
			command === 'serve' && process.env.VITEST === undefined && isPreview !== true,
		async config({ server = {} }) {
			const { module }: { readonly module: typeof configs } = await importSource(root, 'src/hosts/config.server.ts');
			const config = module.readConfig({ ...process.env, ...environmentOf(server) }, root);
			const { port, host, dataFolder } = config;
			process.env.ORIGIN = config.origin;
			const { key, cert } = await localCertificate(dataFolder, [new URL(config.origin).hostname], Date.now());
			// HTTP/1.1 as on the node host. The service handles preflights itself.
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

/** The command line's options as environment variables. `--host` without a value means all addresses. */
function environmentOf({ host, port }: ServerOptions): Record<string, string> {
	return {
		...(port === undefined ? {} : { PORT: String(port) }),
		...(typeof host === 'string' ? { HOST: host } : host === true ? { HOST: '0.0.0.0' } : {})
	};
}
