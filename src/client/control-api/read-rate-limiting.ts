import { type ParsedRateLimit, parseRateLimits } from '../parse-resources.ts';
import { isObject, parseJson } from '../rate-limit/json-value.ts';
import { serviceUrls } from '../service-urls.ts';
import { ControlError } from './control-api.ts';

/** The response of `GET /ratelimiting`, as it arrived and as data. */
export type RateLimiting = {
	/** `HTTP 200`, then the headers, one a line. */
	readonly head: string;
	readonly body: string;
	readonly state: string;
	readonly address: string;
	readonly reason: string | undefined;
	readonly records: readonly ParsedRateLimit[];
	/** How far the service's clock is ahead of this machine's, in milliseconds. */
	readonly clockOffset: number;
};

/** What a request for the rate limit status carries. */
export type RateLimitingRequest = {
	/** A virtual address whose status is read instead. */
	readonly address?: string | undefined;
	/** Ends the request. */
	readonly signal?: AbortSignal;
};

/**
 * Requests the rate limit status of this browser's address, which also responds to blacklisted clients.
 * @param baseUrl of the sandbox
 * @throws ControlError
 */
export async function readRateLimiting(
	baseUrl: string,
	{ address, signal }: RateLimitingRequest = {}
): Promise<RateLimiting> {
	let response: Response;
	let body: string;
	try {
		const headers = { accept: 'application/json', ...(address === undefined ? {} : { 'X-Tollgate-Address': address }) };
		response = await fetch(serviceUrls(baseUrl).ratelimiting, { headers, signal: signal ?? null, cache: 'no-store' });
		body = await response.text();
	} catch {
		throw new ControlError('no_response', 'The service did not respond. Check that it is running, then try again.', 0);
	}
	const data = parseJson(body);
	const field = (name: string) => {
		const value = isObject(data) ? data[name] : undefined;
		return typeof value === 'string' ? value : undefined;
	};
	if (!response.ok) {
		const description = field('error_description') ?? `The service responded with status ${response.status}.`;
		throw new ControlError(field('error') ?? 'unexpected_response', description, response.status);
	}
	const date = Date.parse(response.headers.get('date') ?? '');
	return {
		head: [`HTTP ${response.status}`, ...[...response.headers].map(([name, value]) => `${name}: ${value}`)].join('\n'),
		body: JSON.stringify(data, undefined, 2),
		state: field('state') ?? '',
		address: field('address') ?? '',
		reason: field('reason'),
		records: parseRateLimits(data),
		clockOffset: Number.isNaN(date) ? 0 : date - Date.now()
	};
}
