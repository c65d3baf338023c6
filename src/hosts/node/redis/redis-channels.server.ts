import type { Redis } from 'ioredis';
import type { RedisLink } from './redis-link.server.ts';

/** Receives a message, or undefined where messages may have been lost. */
type Receiver = (message: string | undefined) => void;

/** The channels that this process listens to, over a separate connection. */
export class RedisChannels {
	readonly #redis: Redis;
	readonly #receivers = new Map<string, Set<Receiver>>();

	private constructor(redis: Redis) {
		this.#redis = redis;
		redis.on('message', (channel, message) => {
			for (const receive of this.#receivers.get(channel) ?? []) receive(message);
		});
		redis.on('ready', () => {
			for (const [channel, receivers] of this.#receivers)
				this.#subscribe(channel, () => receivers.forEach((receive) => receive(undefined)));
		});
	}

	/** Connects, with the settings of a link. */
	static async open(link: RedisLink): Promise<RedisChannels> {
		return new RedisChannels(await link.duplicate());
	}

	/**
	 * Listens to a channel. `receive` is called with undefined once that has begun.
	 * @returns a function that ends it
	 */
	listen(channel: string, receive: Receiver): () => void {
		const receivers = this.#receivers.get(channel) ?? new Set();
		this.#receivers.set(channel, receivers);
		receivers.add(receive);
		this.#subscribe(channel, () => receive(undefined));
		return () => {
			// A stream can end twice, and its channel may have other receivers by then.
			if (!receivers.delete(receive) || receivers.size > 0) return;
			this.#receivers.delete(channel);
			this.#redis.unsubscribe(channel).catch(() => undefined);
		};
	}

	/** A connection that is lost in between is opened again, and subscribes again. */
	#subscribe(channel: string, onSubscribed: () => void): void {
		this.#redis.subscribe(channel).then(onSubscribed, () => undefined);
	}

	close(): void {
		this.#redis.disconnect();
	}
}
