import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as send } from 'node:https';
import { getProxyForUrl } from 'proxy-from-env';
import { Server } from 'proxy-chain';
import { haveHost } from '#service/provider/provider-urls.ts';
import { respond, type Interceptor } from './interceptor.ts';

const httpsOnly = (host: string) =>
	`Tollgate simulates https://${host} only, so nothing was sent to http://${host}. Use https.`;

/** The proxy of a program: only the hosts of providers are decrypted. */
class ForwardProxy extends Server {
	readonly #names: readonly string[];
	readonly #interceptor: Interceptor;

	constructor(names: readonly string[], interceptor: Interceptor) {
		super({
			host: '127.0.0.1',
			port: 0,
			prepareRequestFunction({ hostname, port, isHttp }) {
				const host = hostname.toLowerCase().replace(/\.$/, '');
				if (!haveHost(names, host)) {
					// The proxy that this machine needs already.
					return { upstreamProxyUrl: getProxyForUrl(`http${isHttp ? '' : 's'}://${hostname}:${port}`) || null };
				}
				if (!isHttp) return { customConnectServer: interceptor.server };
				return {
					customResponseFunction: () => ({
						statusCode: 403,
						headers: { 'Content-Type': 'text/plain; charset=utf-8' },
						body: `${httpsOnly(host)}\n`
					})
				};
			}
		});
		this.#names = names;
		this.#interceptor = interceptor;
	}

	override async onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { url = '', headers } = request;
		// A Node program sends them here, whose http connections to the named hosts end at this port.
		if (url.startsWith('/')) return respond(response, 403, httpsOnly(headers.host ?? ''));
		// Some clients send requests for https to a proxy in plain text.
		if (!/^https:/i.test(url) || !URL.canParse(url)) return super.onRequest(request, response);
		if (haveHost(this.#names, new URL(url).hostname)) return this.#interceptor.handle(request, response, url);
		const { 'proxy-connection': _connection, 'proxy-authorization': _authorization, ...sent } = headers;
		const outgoing = send(url, { method: request.method ?? 'GET', headers: sent });
		outgoing.on('response', (received) => {
			response.writeHead(received.statusCode ?? 502, received.rawHeaders);
			received.pipe(response);
		});
		outgoing.on('error', () => respond(response, 502, `${new URL(url).host} does not respond.`));
		response.on('close', () => outgoing.destroy());
		request.pipe(outgoing);
	}
}

/**
 * Starts a proxy on this machine, for programs that connect by the variables of the environment. Requests to the hosts of providers
 * go to the interceptor. All others are tunnelled, by the proxy in the environment of this process if it has one.
 * @param names of the providers
 */
export async function startForwardProxy(
	names: readonly string[],
	interceptor: Interceptor
): Promise<{ readonly port: number; close(): Promise<void> }> {
	const proxy = new ForwardProxy(names, interceptor);
	await proxy.listen();
	return { port: proxy.port, close: () => proxy.close(true) };
}

/** The variables with which programs use a proxy, apart from hosts of this machine. */
export function proxyVariables(port: number): Readonly<Record<string, string>> {
	const url = `http://127.0.0.1:${port}`;
	const own = 'localhost,127.0.0.1,::1';
	return {
		HTTPS_PROXY: url,
		https_proxy: url,
		HTTP_PROXY: url,
		http_proxy: url,
		NO_PROXY: own,
		no_proxy: own
	};
}
