import { patternOfKind } from '#api/world/record-values.ts';
import { toClientError, type ClientError } from '#client/oauth/client-error.ts';
import { parseRateLimits } from '#client/parse-rate-limits.ts';
import type { TrackedRateLimit } from '#client/rate-limit/tracker.ts';
import { patterns } from '#client/service-urls.ts';
import type { ViewerClient } from './client.ts';
import { addSample, type Gauge } from './gauge.ts';

/** The rate limits, from the headers of responses and from `/ws/v2.0/ratelimits`. */
export class RateLimits {
	/** In the order of their patterns. */
	gauges: readonly Gauge[] = $state.raw([]);
	/** The address that they count for; undefined until a response has named it. */
	address: string | undefined = $state();
	isFetching = $state(false);
	/** The last request got no response. */
	noResponse = $state(false);
	error: ClientError | undefined = $state.raw();
	readonly #client: ViewerClient;

	/** Restores the values from before a reload. A window that has ended since is left out. */
	constructor(client: ViewerClient) {
		this.#client = client;
		const { clock, environment, resources, tab } = client;
		for (const { pattern, updatedAt, ...rateLimit } of tab.value.rateLimits) {
			if (rateLimit.reset > clock.now()) this.#add(resources.tracker.update(pattern, rateLimit, updatedAt));
		}
		environment.onPageHide(() => tab.set({ rateLimits: [...resources.tracker.all] }));
	}

	/** Follows the headers of all responses. Returns a function that ends it. */
	start(): () => void {
		const ends = [
			this.#client.rateLimitUpdated.subscribe((rateLimit) => {
				this.#add(rateLimit);
				// The service responds again.
				if (this.error?.code === 'no_response') this.error = undefined;
			}),
			this.#client.requestEnded.subscribe((outcome) => {
				if (outcome.kind !== 'aborted') this.noResponse = outcome.kind === 'no_response';
				const named = outcome.kind === 'response' ? outcome.headers.get('x-tollgate-address') : null;
				if (named !== null) this.address = named;
			})
		];
		return () => ends.forEach((end) => end());
	}

	/** Call it when requests count for another address: its limits are not known yet, and none is used up. */
	reset(): void {
		this.gauges = [];
		this.address = undefined;
		const ofKinds = (this.#client.world.kinds ?? []).map(({ name }) => patternOfKind(name));
		for (const pattern of [...Object.values(patterns), ...ofKinds]) this.#client.resources.retryAt.unblock(pattern);
	}

	/**
	 * Requests `/ws/v2.0/ratelimits`, which is rate limited too.
	 * @param headers that say who asked for it
	 */
	async fetch(userId: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
		if (this.isFetching) return;
		const { resources, clock } = this.#client;
		this.isFetching = true;
		this.error = undefined;
		try {
			const { data } = await resources.get(patterns.ratelimits, { tokenSetId: userId, headers });
			for (const { pattern, limit, remaining, reset } of parseRateLimits(data)) {
				if (limit === 0) continue;
				// The owner of the sandbox may have reset the limits.
				if (remaining > 0) resources.retryAt.unblock(pattern);
				this.#add(resources.tracker.update(pattern, { limit, remaining, reset }, clock.now()));
			}
		} catch (thrown) {
			const error = toClientError(thrown);
			// The page says of the user that access has ended.
			if ((await this.#client.users.get(userId))?.ended !== error.code) this.error = error;
		} finally {
			this.isFetching = false;
		}
	}

	#add(rateLimit: TrackedRateLimit): void {
		const known = this.gauges.find(({ pattern }) => pattern === rateLimit.pattern);
		const gauge = addSample(known, rateLimit);
		this.gauges = known
			? this.gauges.map((one) => (one === known ? gauge : one))
			: [...this.gauges, gauge].toSorted((one, other) => (one.pattern < other.pattern ? -1 : 1));
	}
}
