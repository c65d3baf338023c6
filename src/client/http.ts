import { ClientError } from './oauth/client-error.ts';
import type { Fetch } from './oauth/send-request.ts';

export type SentRequest = {
	readonly method: string;
	readonly url: string;
	readonly headers: Headers;
	readonly body: string;
};

/** The result of a request. */
export type Outcome =
	| { readonly kind: 'response'; readonly status: number; readonly headers: Headers; readonly text: string }
	| { readonly kind: 'aborted' | 'no_response'; readonly message: string };

/** What `createFetch` needs. */
export type FetchOptions = {
	readonly fetch: Fetch;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** A signal that aborts after this number of milliseconds. */
	readonly timeout: (milliseconds: number) => AbortSignal;
	/** Headers that every request carries besides its own. */
	readonly headers?: () => Readonly<Record<string, string>>;
	/** Called when a request is sent. Returns the function to call with its outcome and its duration in milliseconds. */
	readonly onRequest: (request: SentRequest) => (outcome: Outcome, duration: number) => void;
};

/** After this number of milliseconds without a response the service counts as not responding. */
const timeoutMs = 15_000;

/** A `fetch` with a timeout that reports every request and reads responses to their end. */
export function createFetch({ fetch, now, timeout, headers: added, onRequest }: FetchOptions): Fetch {
	return async (url, init) => {
		const body = init.body instanceof URLSearchParams ? init.body.toString() : '';
		const sentAt = now();
		const headers = new Headers(init.headers);
		for (const [name, value] of Object.entries(added?.() ?? {})) headers.set(name, value);
		const end = onRequest({ method: init.method ?? 'GET', url, headers, body });
		try {
			const signals = [timeout(timeoutMs), ...(init.signal ? [init.signal] : [])];
			const response = await fetch(url, { ...init, headers, signal: AbortSignal.any(signals) });
			const { status } = response;
			const text = await response.text();
			end({ kind: 'response', status, headers: response.headers, text }, now() - sentAt);
			return copyOf(response, text);
		} catch (thrown) {
			if (thrown instanceof ClientError) throw thrown;
			const kind = init.signal?.aborted === true ? 'aborted' : 'no_response';
			end({ kind, message: thrown instanceof Error ? thrown.message : String(thrown) }, now() - sentAt);
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
