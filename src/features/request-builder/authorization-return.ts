import type { TabStorage } from '#client/storage/tab-state.svelte.ts';
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
export function keepResponse(storage: TabStorage, baseUrl: string, response: URLSearchParams): string | undefined {
	const awaiting = readStored(storage, baseUrl)?.awaiting;
	if (!awaiting || response.size === 0 || response.get('state') !== awaiting.state) return undefined;
	arrived = { baseUrl, response };
	if (isLesson(awaiting.page)) store(storage, baseUrl, response.toString());
	return awaiting.page;
}

/** The response that `keepResponse` kept for a service. It is returned once. */
export function takeResponse(storage: TabStorage, baseUrl: string): URLSearchParams | undefined {
	const stored = readResponse(storage, baseUrl);
	if (arrived?.baseUrl !== baseUrl) return stored;
	const { response } = arrived;
	arrived = undefined;
	return response;
}

/** What was stored for the page of a lesson. It is deleted. */
function readResponse(storage: TabStorage, baseUrl: string): URLSearchParams | undefined {
	try {
		const stored = storage.getItem(keyOf(baseUrl)) ?? '';
		if (stored === '') return undefined;
		store(storage, baseUrl, '');
		return new URLSearchParams(stored);
	} catch {
		return undefined; // Storage is blocked.
	}
}

function store(storage: TabStorage, baseUrl: string, response: string): void {
	try {
		storage.setItem(keyOf(baseUrl), response);
	} catch {
		// The storage is full or blocked.
	}
}
