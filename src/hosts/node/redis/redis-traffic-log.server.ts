import common from './lua/traffic.lua?raw';
import appendEntryLua from './lua/append-entry.lua?raw';
import {
	exchangeOf,
	type LazyTrafficEntry,
	type LoggedExchange,
	type PackedEntry,
	packEntry,
	unpackEntry
} from '#service/traffic/logged-exchange.ts';
import {
	labelsPerEntry,
	type SandboxEvent,
	sandboxEvents,
	type TrafficLimits,
	type TrafficListener,
	type TrafficLog
} from '#service/traffic/traffic-log.ts';
import { type LabelSource, severalFlows } from '#service/traffic/value-labels.ts';
import { withLabel } from '#service/traffic/traffic-entry.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { RedisKeys } from './redis-keys.ts';
import { type Argument, type RedisLink, script } from './redis-link.server.ts';
import { trusted, unreadable } from './record-scripts.ts';
import type { Redis } from 'ioredis';

/** Adds an entry with the values in it, and announces it. */
const appendEntry = script(common + appendEntryLua);

/** Returns the entries from a number on, at most so many, and then what was assigned to each. */
const readEntries = script(`${common}
settle()
local found = redis.call('XRANGE', entries, ARGV[5] .. '-0', '+', 'COUNT', ARGV[6])
for _, item in ipairs(found) do item[3] = redis.call('HGET', assigned, string.match(item[1], '^%d+')) end
return found
`);

/** Returns the entry with this `X-Request-Id`. */
const findEntry = script(`${common}
settle()
local number = redis.call('HGET', ids, ARGV[5])
if not number then return {} end
local found = redis.call('XRANGE', entries, number .. '-0', number .. '-0')
for _, item in ipairs(found) do item[3] = redis.call('HGET', assigned, number) end
return found
`);

/** Deletes all entries. Numbers and labels continue. */
const clearEntries = script(`${common}
labelNew()
redis.call('UNLINK', entries, facts, ids, assigned)
redis.call('HDEL', head, 'traffic:size')
return 1
`);

/** How many entries a subscriber reads at once. */
const maxRead = 100;

/** What a log in Redis needs. */
export type RedisTrafficOptions = {
	readonly link: RedisLink;
	readonly keys: RedisKeys;
	readonly channels: RedisChannels;
	readonly sandbox: string;
	/** How much is kept now. */
	readonly limits: () => TrafficLimits;
};

type Subscriber = { pump(): Promise<void> };

/** The exchanges of one sandbox, in Redis: all processes see the same numbers and labels. */
export class RedisTrafficLog implements TrafficLog {
	readonly #options: RedisTrafficOptions;
	readonly #keys: readonly string[];
	readonly #channel: string;
	readonly #subscribers = new Set<Subscriber>();

	/** The scripts number the values before an entry is read, and know the flow of each. Until then, a label is its kind. */
	readonly labels: LabelSource = { find: (_id, kind) => ({ label: kind, flow: undefined }) };

	constructor(options: RedisTrafficOptions) {
		this.#options = options;
		const { entries, facts, ids, assigned, labels, labeled } = options.keys.traffic(options.sandbox);
		this.#keys = [options.keys.head(options.sandbox), entries, facts, ids, assigned, labels, labeled];
		this.#channel = entries;
	}

	async append({ size, entry: build }: LazyTrafficEntry): Promise<void> {
		const entry = build(0);
		const { id, flow = '', values } = entry;
		const labeled = values.map((value) => `${value.id};${value.label}`).join(';');
		try {
			await this.#options.link.run(appendEntry, this.#keys, [
				...this.#limits,
				id,
				size,
				flow,
				JSON.stringify(packEntry(entry)),
				labeled
			]);
			await Promise.all([...this.#subscribers].map((subscriber) => subscriber.pump()));
		} catch {
			// The link has reported it. What the exchange has changed is stored, so its client gets the response.
		}
	}

	async after(after: number, limit: number): Promise<LoggedExchange[]> {
		return limit === 0 ? [] : (await this.#read(after, limit)).map(exchangeOf);
	}

	async find(id: string): Promise<TrafficEntry | undefined> {
		return entriesOf(await this.#options.link.run(findEntry, this.#keys, [...this.#limits, id]))[0];
	}

	async clear(): Promise<void> {
		await this.#options.link.run(clearEntries, this.#keys, this.#limits);
	}

	subscribe(listener: TrafficListener, after?: number, onEvent?: (event: SandboxEvent) => void): () => void {
		let isOver = false;
		let last: number | undefined;
		// At once, so that all entries that are appended from now on are new.
		const begin = this.#lastNumber(after).catch(() => undefined);
		const readOn = async () => {
			let next = (last ??= (await begin) ?? (await this.#lastNumber(after)));
			for (let isDone = isOver; !isDone;) {
				const found = await this.#read(next, maxRead);
				for (const exchange of found.map(exchangeOf)) if (!isOver) listener(exchange);
				last = next = found.at(-1)?.seq ?? next;
				isDone = isOver || found.length === 0;
			}
		};
		let reading = Promise.resolve();
		// One after the other. If Redis is away, the connection that follows makes this read again.
		const pump = () => (reading = reading.then(readOn).catch(() => undefined));
		const subscriber: Subscriber = { pump };
		this.#subscribers.add(subscriber);
		const unlisten = this.#options.channels.listen(this.#channel, (message) => {
			const event = sandboxEvents.find((event) => event === message);
			if (event === undefined) void pump();
			else onEvent?.(event);
		});
		return () => {
			isOver = true;
			this.#subscribers.delete(subscriber);
			unlisten();
		};
	}

	announce(event: SandboxEvent): void {
		this.#options.link.send('publish', this.#channel, event).catch(() => undefined);
	}

	/** What each script needs to label values and to delete old entries. */
	get #limits(): Argument[] {
		const { entries, characters } = this.#options.limits();
		return [entries, characters, labelsPerEntry * entries, severalFlows];
	}

	/** The number of the last entry, or `after` if that is lower. */
	async #lastNumber(after = Infinity): Promise<number> {
		return Math.min(after, Number(await this.#options.link.send('hget', this.#keys[0] ?? '', 'traffic')));
	}

	async #read(after: number, limit: number): Promise<TrafficEntry[]> {
		return entriesOf(await this.#options.link.run(readEntries, this.#keys, [...this.#limits, after + 1, limit]));
	}
}

/** Reads what a script returned. */
function entriesOf(reply: unknown): TrafficEntry[] {
	if (!Array.isArray(reply)) throw unreadable();
	return reply.map((item: unknown) => {
		const [number, fields, assigned] = listOf(item);
		const [, text] = listOf(fields);
		if (typeof number !== 'string' || typeof text !== 'string') throw unreadable();
		const entry = unpackEntry(trusted<PackedEntry>(JSON.parse(text)));
		const [flow = '', ...labels] = typeof assigned === 'string' ? assigned.split(';') : [];
		const values = entry.values.map((value, index) => withLabel(value, labels[index] ?? value.label));
		return { ...entry, ...(flow === '' ? {} : { flow }), values, seq: Number(number.split('-', 1)[0]) };
	});
}

function listOf(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

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
