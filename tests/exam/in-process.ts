import { handleFetch, type Handle } from '#hosts/msw/fetch-adapter.ts';

/**
 * A `fetch` that calls a service in this process. No response rejects, as on a network.
 * @param handle of the service
 */
export function fetchOf(handle: Handle): typeof fetch {
	return async (input, init) => {
		const request = new Request(input, init);
		request.signal.throwIfAborted();
		const response = await handleFetch(handle, request, { base: '', peer: '127.0.0.1' });
		if (response.type === 'error') throw new TypeError('There was no response.');
		return response;
	};
}
