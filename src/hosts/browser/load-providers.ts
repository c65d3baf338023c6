import * as v from 'valibot';
import { StoreUnavailable } from '#store/errors.ts';
import type { ProviderFiles } from '#service/provider/provider-files.ts';
import type { AppCache } from './app-cache.ts';

/** Where the static build has the files of the simulated providers, below its base. It is kept after its first use. */
export const providerFilesPath = '/_app/on-demand.providers.json';

/** The files of one version of the app. */
export type ProviderFilesOfVersion = { readonly version: string; readonly files: ProviderFiles };

/**
 * Loads the files of the simulated providers from the worker's cache, or from the network.
 * @param base path of the app, without a trailing slash
 * @param version of the app
 * @throws StoreUnavailable without a network, and where the server has another version
 */
export async function loadProviders(
	cache: Pick<AppCache, 'respond'>,
	base: string,
	version: string
): Promise<ProviderFiles> {
	const path = base + providerFilesPath;
	try {
		const response = await cache.respond(path, new Request(new URL(path, location.origin)));
		const ofVersion = v.object({ version: v.literal(version), files: v.custom<ProviderFiles>(Boolean) });
		return v.parse(ofVersion, await response.json()).files;
	} catch {
		throw new StoreUnavailable('The simulated providers could not be downloaded.');
	}
}
