import { createHash } from 'node:crypto';
import { Cluster, Redis } from 'ioredis';
import { StoreUnavailable } from '#store/errors.ts';
import { reportOnce } from '../report-once.ts';
import { readRedisAddress, type RedisAddress, type RedisNode } from './redis-address.ts';
import { isRejection, RedisError } from './redis-error.ts';

/** A Lua script, which Redis runs in one step. */
export type Script = { readonly source: string; readonly digest: string };

export type Argument = string | number;

/** @param source in Lua */
export function script(source: string): Script {
	return { source, digest: createHash('sha1').update(source).digest('hex') };
}

/**
 * A connection to Redis or Valkey, or to a cluster. It reconnects automatically. Commands fail at once while there is none: nothing waits in
 * a queue, and nothing is sent twice.
 */
export class RedisLink {
	readonly #address: RedisAddress;
	readonly #client: RedisClient;
	readonly #report: (fault: Error) => void;
	#connections = 0;
	#isCorked = false;

	private constructor(address: RedisAddress, client: RedisClient, report: (fault: unknown) => void) {
		this.#address = address;
		this.#report = reportOnce(report);
		this.#client = client;
		// Without a listener ioredis prints each failed attempt to connect.
		client.on('error', (fault) => this.#reportOnce(fault));
		for (const event of ['ready', '+node', '-node']) client.on(event, () => this.#connections++);
	}

	/**
	 * Connects.
	 * @param url see `readRedisAddress`
	 * @param report gets faults that no request waits for
	 * @throws RedisError if there is no Redis at this address
	 */
	static async open(url: string, report: (fault: unknown) => void): Promise<RedisLink> {
		const address = readRedisAddress(url);
		if (address === undefined) throw RedisError.at(url, new Error('not an address'));
		const faults: unknown[] = [];
		let isOpen = false;
		const client = createClient(address, () => isOpen);
		const link = new RedisLink(address, client, (fault) => (isOpen ? report(fault) : faults.push(fault)));
		try {
			await client.connect();
			if ((await client.call('ping')) !== 'PONG') throw new Error('it did not respond with PONG');
			isOpen = true;
			return link;
		} catch (error) {
			link.close();
			throw RedisError.at(url, faults[0] instanceof Error ? faults[0].cause : error);
		}
	}

	get isCluster(): boolean {
		return this.#client instanceof Cluster;
	}

	/** What each primary reports about itself (INFO). */
	infos(): Promise<string[]> {
		return Promise.all(this.#primaries.map(async (redis) => String(await redis.call('info'))));
	}

	/** How often a connection was opened. What was read over an earlier one may be out of date. */
	get connections(): number {
		return this.#connections;
	}

	/**
	 * Sends a command.
	 * @throws StoreUnavailable
	 */
	async send(command: string, ...args: readonly Argument[]): Promise<unknown> {
		this.#cork();
		try {
			return await this.#client.call(command, [...args]);
		} catch (error) {
			throw this.#unavailable(error);
		}
	}

	/**
	 * Runs a script.
	 * @throws StoreUnavailable
	 */
	async run({ source, digest }: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
		const rest = [keys.length, ...keys, ...args];
		this.#cork();
		try {
			return await this.#client.call('evalsha', [digest, ...rest]);
		} catch (error) {
			if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return this.send('eval', source, ...rest);
			throw this.#unavailable(error);
		}
	}

	/** A second connection, for messages. Its commands wait until it is connected. */
	async duplicate(): Promise<Redis> {
		const redis = createMessageClient(this.#address, this.#client);
		redis.on('error', (fault) => this.#reportOnce(fault));
		await redis.connect();
		return redis;
	}

	/** Ends the connection at once. */
	close(): void {
		this.#client.disconnect();
	}

	/** Collects the commands of one turn of the event loop, so that they leave in one write. */
	#cork(): void {
		if (this.#isCorked) return;
		this.#isCorked = true;
		const streams = this.#primaries.filter(({ status }) => status === 'ready').map(({ stream }) => stream);
		for (const stream of streams) stream.cork();
		setImmediate(() => {
			this.#isCorked = false;
			for (const stream of streams) stream.uncork();
		});
	}

	get #primaries(): Redis[] {
		return this.#client instanceof Cluster ? this.#client.nodes('master') : [this.#client];
	}

	#unavailable(error: unknown): StoreUnavailable {
		this.#reportOnce(error);
		const reason = isRejection(error) ? 'accepts no changes now' : 'cannot be reached';
		return new StoreUnavailable(`The store of this server ${reason}.`, { cause: error });
	}

	#reportOnce(fault: unknown): void {
		const message = fault instanceof Error ? fault.message : '';
		this.#report(new Error(`The store does not work: ${message}`, { cause: fault }));
	}
}

/** A connection to one server, or connections to all primaries of a cluster. */
type RedisClient = Redis | Cluster;

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
function createClient(address: RedisAddress, mayRetry: () => boolean): RedisClient {
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
function createMessageClient(address: RedisAddress, client: RedisClient): Redis {
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
