import { toClientError, type ClientError } from '../oauth/client-error.ts';
import { parseRateLimits, type RateLimitRecord } from '../parse-rate-limits.ts';
import { patterns } from '../service-urls.ts';
import type { ViewerClient } from './client.ts';
import { addSample, type Gauge } from './rate-limit-forecast.ts';

/** The rate limits: from the headers of responses, and from `/ws/v2.0/ratelimits`. */
export class RateLimits {
	/** In the order in which they became known. */
	gauges: readonly Gauge[] = $state.raw([]);
	records: readonly RateLimitRecord[] | undefined = $state.raw();
	/** When the records were fetched, in milliseconds since 1970 by the service's clock. */
	fetchedAt = $state(0);
	isFetching = $state(false);
	error: ClientError | undefined = $state.raw();
	readonly #client: ViewerClient;

	/** Restores the values from before a reload. A window that has ended since is left out. */
	constructor(client: ViewerClient) {
		this.#client = client;
		const { rateLimits, rateLimitRecords } = client.tab.value;
		if (rateLimitRecords !== null) ({ records: this.records, fetchedAt: this.fetchedAt } = rateLimitRecords);
		const current = rateLimits.filter(({ reset }) => reset > client.clock.now());
		for (const { pattern, updatedAt, ...rateLimit } of current) {
			client.resources.tracker.update(pattern, rateLimit, updatedAt);
		}
		this.gauges = client.resources.tracker.all.map((rateLimit) => addSample(undefined, rateLimit));
		client.environment.onPageHide(() => client.tab.set({ rateLimits: [...client.resources.tracker.all] }));
	}

	/** Follows the headers of all responses. Returns a function that ends it. */
	start(): () => void {
		return this.#client.rateLimitUpdated.subscribe((rateLimit) => {
			const gauge = addSample(
				this.gauges.find(({ pattern }) => pattern === rateLimit.pattern),
				rateLimit
			);
			const isKnown = this.gauges.some(({ pattern }) => pattern === gauge.pattern);
			this.gauges = isKnown
				? this.gauges.map((one) => (one.pattern === gauge.pattern ? gauge : one))
				: [...this.gauges, gauge];
		});
	}

	/** Requests `/ws/v2.0/ratelimits`, which is rate limited too. */
	async fetch(userId: string): Promise<void> {
		if (this.isFetching) return;
		const { resources, clock, tab } = this.#client;
		this.isFetching = true;
		this.error = undefined;
		try {
			const { data } = await resources.get(patterns.ratelimits, { tokenSetId: userId });
			const records = [...parseRateLimits(data)];
			this.records = records;
			this.fetchedAt = clock.now();
			tab.set({ rateLimitRecords: { records, fetchedAt: this.fetchedAt } });
		} catch (thrown) {
			this.error = toClientError(thrown);
		} finally {
			this.isFetching = false;
		}
	}
}
