import { storedText, storeText, type TextStorage } from '#client/storage/web-storage.ts';
import { readStored } from './stored-builder.ts';

/** The authorization response that the callback received. In memory, because it contains the code. */
let arrived: { readonly baseUrl: string; readonly response: URLSearchParams } | undefined;

const keyOf = (baseUrl: string) => `tollgate-authorization-response ${baseUrl}`;

/** Whether a page with the builder is a lesson. It is loaded again when a response arrives, and may store its code. */
export const isLesson = (page: string): boolean => page.includes('/learn/');

/**
 * Keeps an authorization response for the request builder, if this tab waits for it: it has the state that was sent, or none where
 * none was sent.
 * @param response the parameters that the callback received
 * @returns path and query of the page with the builder; undefined where the response belongs to another client
 */
export function keepResponse(storage: TextStorage, baseUrl: string, response: URLSearchParams): string | undefined {
	const awaiting = readStored(storage, baseUrl)?.awaiting;
	if (!awaiting || response.size === 0 || response.get('state') !== awaiting.state) return undefined;
	arrived = { baseUrl, response };
	if (isLesson(awaiting.page)) storeText(keyOf(baseUrl), response.toString(), () => storage);
	return awaiting.page;
}

/** The response that `keepResponse` kept for a service. It is returned once. */
export function takeResponse(storage: TextStorage, baseUrl: string): URLSearchParams | undefined {
	const stored = storedText(keyOf(baseUrl), () => storage);
	storeText(keyOf(baseUrl), '', () => storage);
	if (arrived?.baseUrl !== baseUrl) return stored === '' ? undefined : new URLSearchParams(stored);
	const { response } = arrived;
	arrived = undefined;
	return response;
}
