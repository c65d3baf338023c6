import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { StoreUnavailable } from '#store/errors.ts';
import { reportOnce } from '../report-once.ts';
import { isRefusal, RedisError } from './redis-error.ts';

/** A Lua script, which Redis runs in one step. */
export type Script = { readonly source: string; readonly digest: string };

/** An argument of a command. */
export type Argument = string | number;

/** How long a command may take, in milliseconds. Then the store counts as unavailable. */
const commandTimeout = 5_000;
/** How long a connection may be silent while a command waits, in milliseconds. Then it is opened again. */
const socketTimeout = 10_000;
/** How long a connection may take, in milliseconds. */
const connectTimeout = 2_000;
/** The longest pause before the next attempt to connect, in milliseconds. */
const maxRetryDelay = 500;

/** @param source in Lua */
export function script(source: string): Script {
	return { source, digest: createHash('sha1').update(source).digest('hex') };
}

/** A connection to Redis or Valkey. It reconnects automatically. Commands fail at once while there is none: nothing waits in a queue. */
export class RedisLink {
	readonly #redis: Redis;
	readonly #report: (fault: Error) => void;
	#connections = 0;
	#isCorked = false;

	private constructor(redis: Redis, report: (fault: unknown) => void) {
		this.#report = reportOnce(report);
		this.#redis = redis;
		// Without a listener ioredis prints each failed attempt to connect.
		this.#redis.on('error', (fault) => this.#reportOnce(fault));
		this.#redis.on('ready', () => this.#connections++);
	}

	/**
	 * Connects.
	 * @param url `redis://` or `rediss://` (TLS)
	 * @param report gets faults that no request waits for
	 * @throws RedisError if there is no Redis at this address
	 */
	static async open(url: string, report: (fault: unknown) => void): Promise<RedisLink> {
		const faults: unknown[] = [];
		let isOpen = false;
		const options = {
			protocol: 2 as const,
			lazyConnect: true,
			enableOfflineQueue: false,
			connectTimeout,
			commandTimeout,
			socketTimeout,
			// A command whose response is lost may have been run. Only its caller knows whether it can be repeated.
			maxRetriesPerRequest: 0,
			autoResendUnfulfilledCommands: false,
			retryStrategy: (attempt: number) => (isOpen ? Math.min(attempt * 50, maxRetryDelay) : null)
		};
		const link = new RedisLink(new Redis(url, options), (fault) => (isOpen ? report(fault) : faults.push(fault)));
		try {
			await link.#redis.connect();
			if ((await link.#redis.call('ping')) !== 'PONG') throw new Error('it did not respond with PONG');
			isOpen = true;
			return link;
		} catch (error) {
			link.close();
			throw RedisError.at(url, faults[0] instanceof Error ? faults[0].cause : error);
		}
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
			return await this.#redis.call(command, [...args]);
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
			return await this.#redis.call('evalsha', [digest, ...rest]);
		} catch (error) {
			if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return this.send('eval', source, ...rest);
			throw this.#unavailable(error);
		}
	}

	/** A second connection with the same settings, for messages. Its commands wait until it is connected. */
	async duplicate(): Promise<Redis> {
		const redis = this.#redis.duplicate({ enableOfflineQueue: true, autoResubscribe: false });
		redis.on('error', (fault) => this.#reportOnce(fault));
		await redis.connect();
		return redis;
	}

	/** Ends the connection at once. */
	close(): void {
		this.#redis.disconnect();
	}

	/** Collects the commands of one turn of the event loop, so that they leave in one write. */
	#cork(): void {
		const { stream, status } = this.#redis;
		if (this.#isCorked || status !== 'ready') return;
		this.#isCorked = true;
		stream.cork();
		setImmediate(() => {
			this.#isCorked = false;
			stream.uncork();
		});
	}

	#unavailable(error: unknown): StoreUnavailable {
		this.#reportOnce(error);
		const reason = isRefusal(error) ? 'accepts no changes now' : 'cannot be reached';
		return new StoreUnavailable(`The store of this server ${reason}.`, { cause: error });
	}

	#reportOnce(fault: unknown): void {
		const message = fault instanceof Error ? fault.message : '';
		this.#report(new Error(`The store does not work: ${message}`, { cause: fault }));
	}
}
