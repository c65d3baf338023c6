import { ClientError, sanitizeLine } from '../oauth/client-error.ts';
import type { HttpResponse } from '../oauth/send-request.ts';
import { isXml } from '../oauth/token-response.ts';
import { parseRateLimitHeaders, type RateLimit } from './rate-limit-headers.ts';
import { isObject, parseJson, type JsonValue } from './json-value.ts';

export type ResourceResponse = {
	readonly status: number;
	readonly format: 'json' | 'xml';
	/** The body as received. */
	readonly text: string;
	/** The parsed body; undefined if it is not in its format. */
	readonly data: JsonValue | undefined;
	readonly rateLimit: RateLimit | undefined;
	/** The service's `X-Request-Id`. */
	readonly requestId: string | undefined;
};

/**
 * Parses the response of a resource.
 * @example
 * const { data, rateLimit } = parseResponse(await sendRequest(fetch, url, { headers }));
 */
export function parseResponse(
	{ status, headers, text }: HttpResponse,
	parseXml?: (text: string) => JsonValue | undefined
): ResourceResponse {
	const format = isXml(headers) ? 'xml' : 'json';
	return {
		status,
		format,
		text,
		data: format === 'xml' ? parseXml?.(text) : parseJson(text),
		rateLimit: parseRateLimitHeaders(headers),
		requestId: headers.get('x-request-id') ?? undefined
	};
}

/**
 * The error that a response reports; undefined for a success. The body distinguishes a 400 for the rate limit from a 400 for
 * a bad request. `X-RateLimit-Remaining: 0` does so only if the body has no error code.
 * @example
 * if (errorOfResponse(response)?.code === 'rate_limit_exceeded') waitForReset(response.rateLimit);
 */
export function errorOfResponse(response: ResourceResponse): ClientError | undefined {
	const { status, data, requestId } = response;
	if (status >= 200 && status < 300) return undefined;
	const { error, error_description } = isObject(data) ? data : {};
	const code = typeof error === 'string' ? sanitizeLine(error) : fallbackErrorCode(response);
	const description = typeof error_description === 'string' ? sanitizeLine(error_description) : '';
	return new ClientError(code, description, { status, requestId });
}

function fallbackErrorCode({ status, rateLimit }: ResourceResponse): string {
	if (status === 400 && rateLimit?.remaining === 0) return 'rate_limit_exceeded';
	if (status >= 500) return 'server_error';
	const codes: Readonly<Record<number, string>> = {
		400: 'invalid_request',
		401: 'invalid_token',
		403: 'insufficient_scope',
		404: 'not_found',
		429: 'too_many_attempts'
	};
	return codes[status] ?? 'unexpected_response';
}
