import { Cluster, Redis } from 'ioredis';
import type { RedisAddress, RedisNode } from './redis-address.ts';

/** A connection to one server, or connections to all primaries of a cluster. */
export type RedisClient = Redis | Cluster;

/** How long a command may take, in milliseconds. Then the store counts as unavailable. */
const commandTimeout = 5_000;
/** How long a connection may be silent while a command waits, in milliseconds. Then it is opened again. */
const socketTimeout = 10_000;
/** How long a connection may take, in milliseconds. */
const connectTimeout = 2_000;
/** The longest pause before the next attempt to connect, in milliseconds. */
const maxRetryDelay = 500;

/**
 * Creates a client. It connects when `connect` is called.
 * @param mayRetry whether a lost connection is opened again
 */
export function createClient(address: RedisAddress, mayRetry: () => boolean): RedisClient {
	const retry = (attempt: number) => (mayRetry() ? Math.min(attempt * 50, maxRetryDelay) : null);
	const { kind, nodes, primary = '', database } = address;
	const shared = optionsOf(address);
	const own = { ...shared, lazyConnect: true, enableOfflineQueue: false, db: database, retryStrategy: retry };
	if (kind === 'cluster')
		return new Cluster([...nodes], {
			lazyConnect: true,
			enableOfflineQueue: false,
			redisOptions: shared,
			clusterRetryStrategy: retry,
			// ioredis would send a command again that may have been run.
			retryDelayOnFailover: 0,
			retryDelayOnClusterDown: 0,
			slotsRefreshTimeout: connectTimeout,
			slotsRefreshInterval: 1_000
		});
	if (kind === 'sentinel')
		return new Redis({
			...own,
			sentinels: [...nodes],
			name: primary,
			...(address.isTls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
			sentinelRetryStrategy: retry,
			sentinelCommandTimeout: connectTimeout,
			// A former primary is a replica once it is back.
			reconnectOnError: ({ message }) => message.startsWith('READONLY')
		});
	return new Redis({ ...own, ...nodes[0] });
}

/**
 * A second connection, for messages. Its commands wait until it is connected. Any node of a cluster gets the messages of all.
 * @param client of the same address
 */
export function createMessageClient(address: RedisAddress, client: RedisClient): Redis {
	const own = { enableOfflineQueue: true, autoResubscribe: false };
	if (client instanceof Redis) return client.duplicate(own);
	const anyNode = (): Partial<RedisNode> => {
		const ready = client.nodes('master').filter(({ status }) => status === 'ready');
		const { host = '', port = 0 } = ready[Math.floor(Math.random() * ready.length)]?.options ?? {};
		return host === '' ? (address.nodes[0] ?? {}) : { host, port };
	};
	const retryStrategy = (attempt: number) => Math.min(attempt * 50, maxRetryDelay);
	const redis = new Redis({ ...optionsOf(address), ...own, lazyConnect: true, retryStrategy, ...anyNode() });
	redis.on('close', () => Object.assign(redis.options, anyNode()));
	return redis;
}

/** What all connections have in common. */
function optionsOf({ username, password, isTls }: RedisAddress) {
	return {
		protocol: 2 as const,
		connectTimeout,
		commandTimeout,
		socketTimeout,
		// A command whose response is lost may have been run. Only its caller knows whether it can be repeated.
		maxRetriesPerRequest: 0,
		autoResendUnfulfilledCommands: false,
		...(username === undefined ? {} : { username }),
		...(password === undefined ? {} : { password }),
		...(isTls ? { tls: {} } : {})
	};
}
