import { createAuthority, type Certificate } from '#hosts/tls/create-certificate.server.ts';
import { hostsOf } from '#service/provider/provider-urls.ts';
import { findProvider, readProviderNames } from '#service/provider/providers.ts';
import { UsageError } from '../client-exam/choices.ts';
import { withNodeHook } from '../run-command.ts';
import { writeTrustBundle } from '../trust-bundle.ts';
import { proxyVariables, startForwardProxy } from './forward-proxy.ts';
import { startInterceptor, type Destination } from './interceptor.ts';

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
