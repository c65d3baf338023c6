import { automaticRequest } from '#api/headers.ts';
import { ClientError, sanitizeLine, toClientError } from '#client/oauth/client-error.ts';
import { sendRequest, type Fetch } from '#client/oauth/send-request.ts';
import { parseRateLimits, type ParsedRateLimit } from '#client/parse-rate-limits.ts';
import { isObject, parseJson, type JsonValue } from '#client/rate-limit/json-value.ts';
import type { CircuitBreaker } from '#client/rate-limit/resource-client.ts';
import type { EventLog } from './event-log.svelte.ts';
import { entry } from './log-messages.ts';

/** What `/ratelimiting` says about this client (section 8.5). */
export type RateLimitingStatus = {
	readonly blacklisted: boolean;
	readonly reason: string;
	readonly records: readonly ParsedRateLimit[];
};

export type OutageOptions = {
	/** URL of `/ratelimiting`. */
	readonly url: string;
	readonly fetch: Fetch;
	/** This machine's clock, in milliseconds since 1970. */
	readonly now: () => number;
	/** A number from 0 up to 1. */
	readonly random: () => number;
	readonly log: EventLog;
	/** Called when requests resume. */
	readonly onEnd: (status: RateLimitingStatus) => void;
};

/** So many requests in a row without a response start an outage. */
const threshold = 2;
/** Pauses between two checks, in milliseconds. */
const firstPause = 2000;
const longestPause = 10_000;

/**
 * Pauses all requests while the service does not respond, and checks `/ratelimiting`, which also responds to blacklisted
 * clients (section 8.5). Requests resume when this client is not blacklisted.
 */
export class Outage implements CircuitBreaker {
	/** Whether requests are paused. */
	isActive = $state(false);
	/** Whether `/ratelimiting` is being requested. */
	isChecking = $state(false);
	/** An outage has ended, and the page has not said so yet. */
	hasEnded = $state(false);
	/** When `/ratelimiting` is requested next, in milliseconds since 1970 by this machine's clock. */
	nextCheckAt = $state(0);
	/** The last response of `/ratelimiting`; undefined: none, or none that could be read. */
	status: RateLimitingStatus | undefined = $state.raw();
	readonly #options: OutageOptions;
	#failures = 0;
	#checks = 0;

	constructor(options: OutageOptions) {
		this.#options = options;
	}

	/** @throws {ClientError} `requests_paused` */
	assertClosed(): void {
		if (this.isActive) throw new ClientError('requests_paused');
	}

	recordResponse(): void {
		this.#failures = 0;
	}

	recordNoResponse(): void {
		this.#failures += 1;
		if (this.isActive) return;
		if (this.#failures >= threshold) this.#start('Two requests got no response. All requests paused');
		// A page that opens sends one request, and no second one that could start the outage.
		else void this.isBlacklisted();
	}

	/**
	 * Requests `/ratelimiting`, and starts an outage if this client is blacklisted. Call it before the user leaves for the service:
	 * a blacklisted user would only see a browser error.
	 */
	async isBlacklisted(): Promise<boolean> {
		const status = await this.#fetchStatus();
		if (status?.blacklisted !== true) return false;
		if (!this.isActive) this.#start('This address is blacklisted. All requests paused');
		this.status = status;
		return true;
	}

	/** Call it every second. Checks when it is time. */
	async tick(): Promise<void> {
		if (this.isActive && this.#options.now() >= this.nextCheckAt) await this.check();
	}

	/** Requests `/ratelimiting`. Ends the outage if this client is not blacklisted. */
	async check(): Promise<void> {
		if (this.isChecking) return;
		this.isChecking = true;
		this.status = await this.#fetchStatus();
		this.isChecking = false;
		if (!this.isActive) return;
		if (this.status?.blacklisted === false) this.#end(this.status);
		else this.#scheduleCheck();
	}

	#start(message: string): void {
		this.#options.log.emit({ ...entry(message, '8.5', [['checking', this.#options.url]]), tone: 'error' });
		this.status = undefined;
		this.isActive = true;
		this.hasEnded = false;
		this.#scheduleCheck();
	}

	#end(status: RateLimitingStatus): void {
		this.#failures = 0;
		this.#checks = 0;
		this.isActive = false;
		this.hasEnded = true;
		this.#options.log.emit({ ...entry('Connection restored. Requests resumed', '8.5'), tone: 'ok' });
		this.#options.onEnd(status);
	}

	#scheduleCheck(): void {
		const { now, random } = this.#options;
		this.nextCheckAt = now() + Math.min(longestPause, firstPause * 2 ** this.#checks) * (1 + random() / 4);
		this.#checks += 1;
	}

	async #fetchStatus(): Promise<RateLimitingStatus | undefined> {
		const { fetch, url } = this.#options;
		try {
			const { status, text } = await sendRequest(fetch, url, {
				headers: { ...automaticRequest, accept: 'application/json' }
			});
			return status === 200 ? parseStatus(parseJson(text)) : undefined;
		} catch (thrown) {
			toClientError(thrown);
			return undefined;
		}
	}
}

function parseStatus(data: JsonValue | undefined): RateLimitingStatus | undefined {
	if (!isObject(data) || typeof data.state !== 'string') return undefined;
	const { state, reason } = data;
	return {
		blacklisted: state === 'blacklisted',
		reason: typeof reason === 'string' ? sanitizeLine(reason) : '',
		records: parseRateLimits(data)
	};
}
