import { providerTarget } from '#service/provider/provider-urls.ts';
import { findProvider } from '#service/provider/providers.ts';
import type { Fetch } from '#exam/browser.ts';
import { providerFetch } from '#exam/provider-fetch.ts';
import type { ExamProvider } from '#exam/sandbox.ts';
import type { Destination } from '../as/interceptor.ts';
import { createRouteAuthority, namesOf, type Routes, startRoutes } from '../as/routes.ts';
import { UsageError } from './choices.ts';

/** What leads the client under test and its user to a simulated provider. */
export type ProviderRoutes = Routes & {
	/** Where the sandbox has what is at a URL of the provider. */
	readonly locate: (url: URL) => string | undefined;
};

/**
 * The provider whose client is examined.
 * @returns what the exam judges by, what its browser sends, and what starts its routes to the sandbox
 * @throws UsageError for a provider that is not simulated
 */
export function readExamProvider(name: string): {
	readonly judged: ExamProvider;
	readonly fetchOf: (fetch: Fetch, rootUrl: string) => Fetch;
	readonly start: (destination: Destination, folder: string, hook: string) => Promise<ProviderRoutes>;
} {
	const [provider] = namesOf(name).flatMap((one) => findProvider(one) ?? []);
	if (provider === undefined || provider.name !== name) throw new UsageError('--as takes one provider in an exam.');
	return {
		judged: provider,
		fetchOf: (fetch, rootUrl) => providerFetch(fetch, rootUrl, name),
		async start(destination, folder, hook) {
			const authority = await createRouteAuthority([name]);
			const routes = await startRoutes([name], authority, destination, { folder, hook });
			const locate = (url: URL) => {
				const target = providerTarget(url, [name]);
				return target && destination.baseUrl + target;
			};
			return { ...routes, locate };
		}
	};
}
