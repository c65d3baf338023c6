import { type Certificate, createAuthority } from '#hosts/tls/create-certificate.server.ts';
import { haveHost, hostsOf } from '#service/provider/provider-urls.ts';
import { findProvider, readProviderNames } from '#service/provider/providers.ts';
import { UsageError } from '../client-exam/choices.ts';
import { withNodeHook } from '../run-command.ts';
import { writeTrustBundle } from '../trust-bundle.ts';
import { type Destination, type Interceptor, respond, startInterceptor } from './interceptor.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as send } from 'node:https';
import { getProxyForUrl } from 'proxy-from-env';
import { Server } from 'proxy-chain';

/** What leads the programs of a command to simulated providers. */
export type Routes = {
	/** The variables that the programs need. */
	readonly env: NodeJS.ProcessEnv;
	/** Where TLS connections to the hosts of the providers go, on this machine. */
	readonly port: number;
	close(): Promise<void>;
};

/** The names in an option, with commas between them. @throws UsageError for a provider that is not simulated, with those that are */
export function namesOf(list: string): readonly string[] {
	try {
		return readProviderNames(list.split(',').map((name) => name.trim()));
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		throw new UsageError(error.message);
	}
}

/** Makes an authority that may sign for the hosts of providers and for other names only. Its key stays in memory. */
export function createRouteAuthority(names: readonly string[], others: readonly string[] = []): Promise<Certificate> {
	// A name permits all names below it.
	const hosts = hostsOf(names).map((host) => host.replace(/^.*\}\.?/, ''));
	return createAuthority([...others, ...hosts], Date.now());
}

/**
 * Starts what leads programs to a sandbox by the real URLs of providers.
 * @param names of the providers
 * @param folder of the certificates that the programs trust
 * @param hook URL of the built `route-hosts.js`
 */
export async function startRoutes(
	names: readonly string[],
	authority: Certificate,
	destination: Destination,
	{ folder, hook }: { readonly folder: string; readonly hook: string }
): Promise<Routes> {
	const interceptor = await startInterceptor(names, authority, destination);
	const proxy = await startForwardProxy(names, interceptor);
	const sources = names.flatMap((name) => findProvider(name)?.endpoints.map(({ host }) => host.source) ?? []);
	const hosts = [...new Set(sources)].join('|');
	return {
		env: {
			...writeTrustBundle(folder, [...new Set([authority.cert, ...(destination.ca ?? [])])]),
			...proxyVariables(proxy.port),
			...withNodeHook(hook),
			TOLLGATE_ROUTES: JSON.stringify({ hosts, port: interceptor.port, plainPort: proxy.port })
		},
		port: interceptor.port,
		async close() {
			await proxy.close();
			await interceptor.close();
		}
	};
}

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
async function startForwardProxy(
	names: readonly string[],
	interceptor: Interceptor
): Promise<{ readonly port: number; close(): Promise<void> }> {
	const proxy = new ForwardProxy(names, interceptor);
	await proxy.listen();
	return { port: proxy.port, close: () => proxy.close(true) };
}

/** The variables with which programs use a proxy, apart from hosts of this machine. */
function proxyVariables(port: number): Readonly<Record<string, string>> {
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
