import { ClientError, toClientError } from '../oauth/client-error.ts';
import { sendRequest, type Fetch } from '../oauth/send-request.ts';
import type { TokenManager } from '../oauth/token-manager.ts';
import type { RateLimitEvent } from './rate-limit-event.ts';
import type { JsonValue } from './json-value.ts';
import { errorOfResponse, parseResponse, type ResourceResponse } from './resource-response.ts';
import { RetryAt } from './retry-at.ts';
import { sleep } from './sleep.ts';
import { throttleDelay } from './throttle.ts';
import { RateLimitTracker } from './tracker.ts';

export type ResourceRequest = {
	/** Whose access token is sent. */
	readonly tokenSetId: string;
	/** Further headers of the request. */
	readonly headers?: Readonly<Record<string, string>>;
	/** The resources that share a rate limit, for example `/ws/v2.0/character/*`; the path itself by default. */
	readonly pattern?: string;
	readonly format?: 'json' | 'xml';
	/** Where the access token is sent (section 5.3). Queries leak into logs, browser histories and `Referer` headers. */
	readonly credential?: 'header' | 'query';
	/** Waits for the reset and tries again if the limit is reached. Otherwise the request fails with `rate_limit_exceeded`. */
	readonly waitForReset?: boolean;
	/** Neither throttles nor waits. For demonstrations. */
	readonly ignoreLimits?: boolean;
	/** Called whenever the request is sent: twice if the access token is refreshed. */
	readonly onSend?: () => void;
	readonly signal?: AbortSignal | undefined;
};

/** Options of `ResourceClient`. */
export type ResourceClientOptions = {
	/** Base URL of the service, without a trailing slash. */
	readonly baseUrl: string;
	readonly tokens: TokenManager;
	readonly fetch?: Fetch;
	readonly tracker?: RateLimitTracker;
	readonly retryAt?: RetryAt;
	/** Whether requests are spread out when the rate limit runs low; on by default. */
	readonly throttle?: () => boolean;
	readonly parseXml?: (text: string) => JsonValue | undefined;
	/** The service's clock, in milliseconds since 1970. */
	readonly now?: () => number;
	readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
	readonly onEvent?: (event: RateLimitEvent) => void;
};

/** Shorter delays are skipped, in milliseconds. */
const minDelay = 50;
/** How often a delayed request checks whether it still has to wait, in milliseconds. */
const delayStep = 500;

/**
 * Sends requests to resources with a valid access token, within the rate limit (sections 5 and 8.9).
 * @example
 * const resources = new ResourceClient({ baseUrl: 'https://localhost:8443', tokens });
 * const { data, rateLimit } = await resources.get('/ws/v2.0/character/Mara%20Vell', { tokenSetId: id });
 */
export class ResourceClient {
	readonly tracker: RateLimitTracker;
	readonly retryAt: RetryAt;
	readonly #options: ResourceClientOptions;
	readonly #now: () => number;
	readonly #sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;

	constructor(options: ResourceClientOptions) {
		this.#options = options;
		this.tracker = options.tracker ?? new RateLimitTracker();
		this.retryAt = options.retryAt ?? new RetryAt();
		this.#now = options.now ?? Date.now;
		this.#sleep = options.sleep ?? sleep;
	}

	/**
	 * Sends a GET request. After a 401 the access token is refreshed and the request sent once more. No other request is
	 * repeated, except with `waitForReset`.
	 * @param path below the base URL: `/ws/v2.0/character/Half%2FLife`
	 * @returns a success
	 * @throws {ClientError} the service's error code, `rate_limit_exceeded` (with `retryAt`), `no_response`, `aborted`,
	 * `unexpected_response`, and those of `TokenManager.getAccessToken`
	 */
	async get(path: string, request: ResourceRequest): Promise<ResourceResponse> {
		for (;;) {
			try {
				return await this.#sendOnce(path, request);
			} catch (thrown) {
				const { code, retryAt } = toClientError(thrown);
				const waits = request.waitForReset === true && code === 'rate_limit_exceeded' && retryAt !== undefined;
				if (!waits) throw thrown;
				await this.#sleep(retryAt - this.#now(), request.signal);
			}
		}
	}

	/**
	 * Sends new data with POST. A request that the rate limit rejects is not repeated. The rest is as for `get`.
	 * @param path below the base URL: `/ws/v2.0/payments`
	 * @param data for the body, as JSON
	 */
	post(path: string, data: unknown, request: ResourceRequest): Promise<ResourceResponse> {
		return this.#sendOnce(path, request, JSON.stringify(data));
	}

	/** How long the next request would be delayed, in milliseconds. */
	delay(pattern: string): number {
		return this.#options.throttle?.() === false ? 0 : throttleDelay(this.tracker.get(pattern), this.#now());
	}

	/** @param body for POST; undefined: GET */
	async #sendOnce(path: string, request: ResourceRequest, body?: string): Promise<ResourceResponse> {
		const { tokens } = this.#options;
		const { tokenSetId, pattern = path } = request;
		await this.#waitForTurn(pattern, request);
		const accessToken = await tokens.getAccessToken(tokenSetId);
		let response = await this.#send(path, pattern, request, accessToken, body);
		if (response.status === 401) {
			const refreshed = await tokens.getAccessToken(tokenSetId, accessToken);
			response = await this.#send(path, pattern, request, refreshed, body);
		}
		const error = errorOfResponse(response);
		if (error === undefined) {
			if (response.data === undefined) throw new ClientError('unexpected_response', '', { status: response.status });
			return response;
		}
		if (response.status === 401) throw await tokens.end(tokenSetId, 'rejected_after_refresh', error.message);
		if (error.code !== 'rate_limit_exceeded') throw error;
		const retryAt = this.retryAt.block(pattern, response.rateLimit?.reset, this.#now());
		this.#options.onEvent?.({ type: 'rate_limit_exceeded', tokenSetId, retryAt });
		throw new ClientError(error.code, error.message, { status: response.status, retryAt });
	}

	async #waitForTurn(pattern: string, request: ResourceRequest): Promise<void> {
		this.#assertAllowed(pattern, request);
		const delay = request.ignoreLimits === true ? 0 : this.delay(pattern);
		if (delay < minDelay) return;
		this.#options.onEvent?.({ type: 'request_throttled', tokenSetId: request.tokenSetId, delay });
		// In steps: throttling may be turned off meanwhile, or the limit reached by another request.
		const end = this.#now() + delay;
		while (this.#now() < end && this.delay(pattern) > 0) {
			await this.#sleep(Math.min(delayStep, end - this.#now()), request.signal);
			this.#assertAllowed(pattern, request);
		}
	}

	#assertAllowed(pattern: string, { ignoreLimits }: ResourceRequest): void {
		const retryAt = ignoreLimits === true ? undefined : this.retryAt.blockedUntil(pattern, this.#now());
		if (retryAt !== undefined) throw new ClientError('rate_limit_exceeded', '', { retryAt });
	}

	async #send(
		path: string,
		pattern: string,
		request: ResourceRequest,
		token: string,
		body: string | undefined
	): Promise<ResourceResponse> {
		const { baseUrl, tokens, fetch = globalThis.fetch, parseXml, onEvent } = this.#options;
		const { tokenSetId, credential = 'header', format = 'json', headers: added, signal } = request;
		const headers = new Headers({ ...added, accept: `application/${format}` });
		const { scheme = 'OAuth' } = (await tokens.get(tokenSetId)) ?? {};
		if (credential === 'header') headers.set('authorization', `${scheme} ${token}`);
		const mark = path.includes('?') ? '&' : '?';
		const query = credential === 'query' ? `${mark}access_token=${encodeURIComponent(token)}` : '';
		if (body !== undefined) headers.set('content-type', 'application/json');
		request.onSend?.();
		const sentAt = this.#now();
		const init = { headers, signal: signal ?? null, ...(body !== undefined && { method: 'POST', body }) };
		const response = parseResponse(await sendRequest(fetch, `${baseUrl}${path}${query}`, init), parseXml);
		const { rateLimit } = response;
		if (rateLimit !== undefined) {
			const tracked = this.tracker.update(pattern, rateLimit, this.#now(), sentAt);
			onEvent?.({ type: 'rate_limit_updated', rateLimit: tracked });
			if (rateLimit.remaining > 0) this.retryAt.unblock(pattern);
		}
		return response;
	}
}
