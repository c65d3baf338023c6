import { setTimeout as sleep } from 'node:timers/promises';
import type { TrafficLimits } from '#service/traffic/traffic-limits.ts';
import type { TrafficLog } from '#service/traffic/traffic-log.ts';
import type { Store, StoreOptions } from '#store/store.ts';
import { reportOnce } from '../report-once.ts';
import { checkRedis } from './check-redis.server.ts';
import { placeOf } from './redis-address.ts';
import { RedisError } from './redis-error.ts';
import { RedisKeys } from './redis-keys.ts';
import { RedisLink } from './redis-link.server.ts';
import { RedisChannels } from './redis-channels.server.ts';
import { createRedisStore } from './redis-store.server.ts';
import { RedisTrafficLog } from './redis-traffic-log.server.ts';

/** How often Redis is checked while it runs, in milliseconds. */
const checkInterval = 10_000;
/** How long it may take until it counts as not responding, in milliseconds. */
const checkTimeout = 1_000;

/** What several processes share. */
export type SharedStore<S> = {
	readonly store: Store<S>;
	readonly traffic: (sandbox: string, limits: () => TrafficLimits) => TrafficLog;
	/** Secret of the service, the same in each process. */
	readonly secret: string;
	/** Why the store accepts no requests now; undefined if it does. */
	problem(): Promise<string | undefined>;
	/** What the operator should know about this Redis; undefined where it is set up well. */
	readonly warning: string | undefined;
	close(): void;
};

/**
 * Opens the store in Redis or Valkey.
 * @param url `redis://` or `rediss://`
 * @param prefix begins each key
 * @param rules how each kind is stored
 * @param report gets faults that no request waits for
 * @throws RedisError if it cannot be reached, could delete records, or its data is of another version. Nothing is changed then
 */
export async function openRedis<S extends { [K in keyof S]: object }>(
	url: string,
	prefix: string,
	rules: StoreOptions<S>,
	report: (fault: unknown) => void
): Promise<SharedStore<S>> {
	let isOpen = false;
	// Until then the error that is thrown says it all.
	const link = await RedisLink.open(url, (fault) => {
		if (isOpen) report(fault);
	});
	const keys = new RedisKeys(prefix);
	try {
		const { secret, warning } = await checkRedis(link, keys, url);
		const channels = await RedisChannels.open(link);
		isOpen = true;
		const reportProblem = reportOnce(report);
		const problem = shared(async () => {
			try {
				await checkRedis(link, keys, url, secret);
				return undefined;
			} catch (error) {
				// The link reports what it throws.
				if (error instanceof RedisError) reportProblem(error);
				return explain(url, error).message;
			}
		});
		const watch = setInterval(() => void problem(), checkInterval).unref();
		return {
			store: createRedisStore(link, keys, rules),
			traffic: (sandbox, limits) => new RedisTrafficLog({ link, keys, channels, sandbox, limits }),
			secret,
			warning,
			problem: () =>
				Promise.race([
					problem(),
					sleep(checkTimeout, `The store at ${placeOf(url)} does not respond.`, { ref: false })
				]),
			close() {
				clearInterval(watch);
				channels.close();
				link.close();
			}
		};
	} catch (error) {
		link.close();
		throw explain(url, error);
	}
}

/** Returns a function that several callers can share: a call in progress is not made twice. */
function shared<T>(call: () => Promise<T>): () => Promise<T> {
	let running: Promise<T> | undefined;
	return () => (running ??= call().finally(() => (running = undefined)));
}

function explain(url: string, error: unknown): RedisError {
	return error instanceof RedisError ? error : RedisError.at(url, error instanceof Error ? error.cause : error);
}
