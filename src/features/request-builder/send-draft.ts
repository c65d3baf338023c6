import { requestIdOf } from '../inspector/resend.ts';
import { requestOf } from './compose.ts';
import type { RequestDraft } from './draft.ts';

/** A response as the page shows it. */
export type BuilderResponse = {
	readonly status: number;
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly body: string;
	/** Its `X-Request-Id`. */
	readonly requestId: string | undefined;
	/** Milliseconds. */
	readonly duration: number;
};

/** The part of `fetch` that is used. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Sends a request.
 * @throws TypeError where there is no response
 */
export async function sendDraft(draft: RequestDraft, baseUrl: string, fetch: SendRequest): Promise<BuilderResponse> {
	const { url, init } = requestOf(draft, baseUrl);
	const begin = performance.now();
	const response = await fetch(url, { ...init, redirect: 'manual', cache: 'no-store', credentials: 'omit' });
	const body = await response.text();
	return {
		status: response.status,
		headers: [...response.headers],
		body,
		requestId: requestIdOf(response),
		duration: Math.round(performance.now() - begin)
	};
}

/** A text in the body of a response, JSON or XML. */
export function readField(body: string, name: string): string | undefined {
	return new RegExp(`"${name}":\\s*"([^"]+)"`).exec(body)?.[1] ?? new RegExp(`<${name}>([^<]+)<`).exec(body)?.[1];
}

/** The tokens in the body of a token response, JSON or XML. Empty in any other body. */
export function readTokens(body: string): {
	readonly access_token?: string;
	readonly refresh_token?: string;
	/** Whether the access token needs a DPoP proof. */
	readonly isBound: boolean;
} {
	const [access_token, refresh_token] = [readField(body, 'access_token'), readField(body, 'refresh_token')];
	return {
		isBound: readField(body, 'token_type') === 'DPoP',
		...(access_token === undefined ? {} : { access_token }),
		...(refresh_token === undefined ? {} : { refresh_token })
	};
}
