import { ownProvider } from '#api/dialect.ts';
import { endpointOf, findProvider } from '#service/provider/providers.ts';
import { providerHostHeader } from '#service/provider/provider-urls.ts';
import type { Fetch } from './browser.ts';

/**
 * Sends requests to the service as those at the real URL of the sign-in page of a provider, so that its responses name the issuer that
 * clients compare (RFC 9207, section 2.4).
 * @param rootUrl of the service. Other requests stay unchanged
 * @param name of the provider; undefined for a client of the service
 */
export function providerFetch(fetch: Fetch, rootUrl: string, name: string | undefined): Fetch {
	// Clients reach an own API below the sandbox only.
	const provider = name === ownProvider ? undefined : findProvider(name);
	const page = provider && endpointOf(provider, 'authorize');
	if (page === undefined) return fetch;
	const { origin } = new URL(rootUrl);
	const { host } = new URL(page.url.replace(/[{}]/g, ''));
	return (url, init) => {
		if (new URL(url).origin !== origin) return fetch(url, init);
		const headers = new Headers(init.headers);
		headers.set(providerHostHeader, host);
		// That of the page with the form.
		if (headers.get('origin') === origin) headers.set('origin', `https://${host}`);
		return fetch(url, { ...init, headers });
	};
}
