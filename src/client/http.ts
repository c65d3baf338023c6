import { ClientError } from './oauth/client-error.ts';
import type { Fetch } from './oauth/send-request.ts';

/** A request that was sent, and then the same one with what became of it. */
export type Exchange = {
	/** Counts the requests of this page. */
	readonly id: number;
	readonly method: string;
	readonly url: string;
	readonly requestHeaders: Headers;
	readonly requestBody: string;
	/** Absent while the request is under way. */
	readonly result?:
		| { readonly kind: 'response'; readonly status: number; readonly headers: Headers; readonly text: string }
		| { readonly kind: 'aborted' | 'no_response'; readonly message: string };
	/** Milliseconds since it was sent. */
	readonly duration: number;
};

/** What `createFetch` needs. */
export type FetchOptions = {
	readonly fetch: Fetch;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** A signal that aborts after so many milliseconds. */
	readonly timeout: (milliseconds: number) => AbortSignal;
	/** Called when a request is sent and when it ends. */
	readonly onExchange: (exchange: Exchange) => void;
};

/** After so many milliseconds without a response the service counts as not responding. */
const timeoutMs = 15_000;

/** A `fetch` with a timeout that reports every exchange and reads responses to their end. */
export function createFetch({ fetch, now, timeout, onExchange }: FetchOptions): Fetch {
	let count = 0;
	return async (url, init) => {
		count += 1;
		const requestBody = init.body instanceof URLSearchParams ? init.body.toString() : '';
		const request = {
			id: count,
			method: init.method ?? 'GET',
			url,
			requestHeaders: new Headers(init.headers),
			requestBody
		};
		const sentAt = now();
		const end = (result: NonNullable<Exchange['result']>) =>
			onExchange({ ...request, result, duration: now() - sentAt });
		onExchange({ ...request, duration: 0 });
		try {
			const signals = [timeout(timeoutMs), ...(init.signal ? [init.signal] : [])];
			const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
			const { status, headers } = response;
			const text = await response.text();
			end({ kind: 'response', status, headers, text });
			return copyOf(response, text);
		} catch (thrown) {
			if (thrown instanceof ClientError) throw thrown;
			const kind = init.signal?.aborted === true ? 'aborted' : 'no_response';
			end({ kind, message: thrown instanceof Error ? thrown.message : String(thrown) });
			throw new ClientError(kind, '', { cause: thrown });
		}
	};
}

/** The response with its body unread. */
function copyOf({ status, headers }: Response, text: string): Response {
	// Status 0: a redirect that was not followed.
	if (status < 200) throw new ClientError('unexpected_response', '', { status });
	return new Response([204, 205, 304].includes(status) ? null : text, { status, headers });
}
