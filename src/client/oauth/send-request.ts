import { ClientError } from './client-error.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A response that was read to its end. */
export type HttpResponse = { readonly status: number; readonly headers: Headers; readonly text: string };

/**
 * Sends a request and reads the whole response.
 * @param fetch the platform's, or one with a timeout
 * @param url absolute
 * @param init as for `fetch`
 * @throws {ClientError} `no_response` if the connection failed, ended early or timed out (a blacklisted client gets exactly
 * this, section 7), `aborted` if `init.signal` aborted, `unexpected_response` for a redirect
 * @example
 * const { status, text } = await sendRequest(fetch, `${baseUrl}/ratelimiting`, { method: 'GET' });
 */
export async function sendRequest(fetch: Fetch, url: string, init: RequestInit): Promise<HttpResponse> {
	let response: Response;
	let text: string;
	try {
		response = await fetch(url, { cache: 'no-store', credentials: 'omit', redirect: 'manual', ...init });
		text = await response.text();
	} catch (thrown) {
		if (thrown instanceof ClientError) throw thrown;
		throw new ClientError(init.signal?.aborted === true ? 'aborted' : 'no_response', '', { cause: thrown });
	}
	const { status, headers } = response;
	// Browsers report a redirect that was not followed as status 0.
	if (status < 200 || (status >= 300 && status < 400)) throw new ClientError('unexpected_response', '', { status });
	return { status, headers, text };
}
