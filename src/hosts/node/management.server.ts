import { createServer, type Server } from 'node:http';
import { bind, portOf } from './bind.server.ts';
import type { Metrics } from './metrics.server.ts';
import { isIP } from 'node:net';
import type { ServerConfig } from '../config.server.ts';

/** What the management port reports. */
export type ManagementOptions = {
	readonly host: string;
	readonly port: number;
	readonly metrics: Metrics;
	/**
	 * Why the server takes no requests; undefined where it does.
	 * @param excluded `store`: without asking the store
	 */
	readonly notReady: (excluded?: 'store') => string | undefined | Promise<string | undefined>;
};

/** A slow or unfinished request must not take descriptors that the service needs. Times in milliseconds. */
const options = {
	requestTimeout: 5_000,
	headersTimeout: 5_000,
	keepAliveTimeout: 5_000,
	connectionsCheckingInterval: 1_000
};
const maxConnections = 64;

/**
 * Starts the management port: plain HTTP without a key, for the machine or network of the operator only. `/livez` says that the
 * process runs, `/readyz` whether it takes requests, `/metrics` has figures for Prometheus. `/readyz?exclude=store` is for a balancer:
 * if it followed the store, which all servers share, it would have no server left when the store is away.
 * @throws NodeJS.ErrnoException where the address cannot be listened on
 * @returns the port, and a function that closes it
 */
export async function startManagement({ host, port, metrics, notReady }: ManagementOptions): Promise<{
	readonly port: number;
	readonly close: () => void;
}> {
	const respond = async (path: string, query = ''): Promise<[status: number, type: string, body: string]> => {
		if (path === '/metrics') return [200, metrics.contentType, await metrics.text()];
		if (path === '/livez') return [200, 'application/json', '{"status":"ok"}'];
		if (path !== '/readyz') return [404, 'text/plain', 'There are /livez, /readyz and /metrics.\n'];
		const reason = await notReady(new URLSearchParams(query).getAll('exclude').includes('store') ? 'store' : undefined);
		return reason === undefined
			? [200, 'application/json', '{"status":"ok"}']
			: [503, 'application/json', JSON.stringify({ status: 'not_ready', reason })];
	};
	const servers: Server[] = await bind(host, port, () => {
		const server = createServer(options, (request, response) => {
			const [path = '', query] = request.url?.split('?', 2) ?? [];
			void respond(path, query).then(([status, type, body]) => {
				response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
			});
		});
		server.maxConnections = maxConnections;
		return server;
	});
	const close = () => {
		for (const server of servers) {
			server.close();
			server.closeAllConnections();
		}
	};
	return { port: portOf(servers[0]), close };
}

/** How long the server may take to respond, in milliseconds. */
const timeout = 2_000;

/**
 * Asks the management port of a server on this machine whether the server accepts requests.
 * @param settings those of the server
 * @returns why not; undefined where it does
 */
export async function checkReady({ management }: ServerConfig): Promise<string | undefined> {
	if (management === undefined) return 'Set MANAGEMENT_PORT to the management port of the server.';
	const url = `http://${loopbackName(management.host)}:${management.port}/readyz`;
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(timeout) });
		return response.ok ? undefined : `The server is not ready: ${await response.text()}`;
	} catch {
		return `No server responds at ${url}.`;
	}
}

/** A name of this machine for an address to listen on. */
function loopbackName(host: string): string {
	if (host === '0.0.0.0') return '127.0.0.1';
	if (host === '::') return '[::1]';
	return isIP(host) === 6 ? `[${host}]` : host;
}
