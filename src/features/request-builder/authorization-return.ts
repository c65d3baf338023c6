import type { TabStorage } from '#client/storage/tab-state.svelte.ts';
import { readStored } from './stored-builder.ts';

/** The authorization response that the callback received. In memory only, because it contains the code. */
let arrived: { readonly baseUrl: string; readonly response: URLSearchParams } | undefined;

/**
 * Keeps an authorization response for the request builder, if this tab waits for it: it has the state that was sent, or none where
 * none was sent.
 * @param response the parameters that the callback received
 * @returns path and query of the page with the builder; undefined where the response belongs to another client
 */
export function keepResponse(storage: TabStorage, baseUrl: string, response: URLSearchParams): string | undefined {
	const awaiting = readStored(storage, baseUrl)?.awaiting;
	if (!awaiting || response.size === 0 || response.get('state') !== awaiting.state) return undefined;
	arrived = { baseUrl, response };
	return awaiting.page;
}

/** The response that `keepResponse` kept for a service. It is returned once. */
export function takeResponse(baseUrl: string): URLSearchParams | undefined {
	if (arrived?.baseUrl !== baseUrl) return undefined;
	const { response } = arrived;
	arrived = undefined;
	return response;
}
