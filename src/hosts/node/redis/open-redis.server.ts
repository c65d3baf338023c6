import { setTimeout as sleep } from 'node:timers/promises';
import type { TrafficLimits, TrafficLog } from '#service/traffic/traffic-log.ts';
import type { Store, StoreOptions } from '#store/store.ts';
import { reportOnce } from '../report-once.ts';
import { placeOf } from './redis-address.ts';
import { RedisError } from './redis-error.ts';
import { partsOf, RedisKeys } from './redis-keys.ts';
import { RedisLink } from './redis-link.server.ts';
import { RedisChannels, RedisTrafficLog } from './redis-traffic-log.server.ts';
import { randomBytes } from 'node:crypto';
import { dropSandbox } from './record-scripts.ts';
import { CacheLimit } from './cache-limit.ts';
import { kindsOf, RedisSandbox } from './redis-sandbox.server.ts';

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

/** The version of the layout of all keys. Data of another version is neither used nor changed. */
const version = '2';

/** What a Redis that can be used has. */
export type CheckedRedis = {
	/** The secret that all processes of the service share. */
	readonly secret: string;
	/** What the operator should know about it. */
	readonly warning: string | undefined;
};

/**
 * Checks whether a Redis can be used: at the start, and again while it runs. Writes version and secret into an empty one.
 * @param url of the Redis
 * @param secret that this process uses; absent at the start
 * @throws RedisError if it could delete records, is a cluster at the address of a single server, or contains data of another version.
 * Nothing is changed then
 * @throws StoreUnavailable if it cannot be reached, or accepts no changes
 */
export async function checkRedis(
	link: RedisLink,
	keys: RedisKeys,
	url: string,
	secret = randomBytes(24).toString('base64url')
): Promise<CheckedRedis> {
	const infos = await readInfos(link);
	const place = placeOf(url);
	for (const info of infos) {
		if (info.get('redis_mode') === 'cluster' && !link.isCluster)
			throw new RedisError(
				`The store at ${place} (STORE) is a cluster. Write its address with redis+cluster:// in place of redis://.`
			);
		const policy = info.get('maxmemory_policy') ?? 'noeviction';
		if (policy !== 'noeviction' && info.get('maxmemory') !== '0')
			throw new RedisError(
				`The store at ${place} (STORE) deletes records when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`
			);
	}
	// Redis rejects this command too if it accepts no changes, although it changes nothing where the key exists.
	const isNew = (await link.send('set', keys.version, version, 'NX')) === 'OK';
	if (!isNew) await checkVersion(link, keys, place);
	await link.send('set', keys.secret, secret, 'NX');
	return {
		secret: String(await link.send('get', keys.secret)),
		warning: infos.some((info) => info.get('aof_enabled') === '0')
			? `The store at ${place} has no append-only file, so its data is lost when it stops. Set appendonly to yes.`
			: undefined
	};
}

async function checkVersion(link: RedisLink, keys: RedisKeys, place: string): Promise<void> {
	// Not with `get`: the key may hold another type than text.
	const found = await link.send('get', keys.version).catch(() => undefined);
	if (found === version) return;
	const what = typeof found === 'string' && /^\d{1,9}$/.test(found) ? `of version ${found}` : 'not of Tollgate';
	throw new RedisError(
		`The data at ${place} with the prefix "${keys.prefix}" is ${what}. This Tollgate reads version ${version}. Use the Tollgate that wrote it, or choose another prefix: STORE_PREFIX=name`
	);
}

/** What each primary reports about itself (INFO). Empty if this user may not read it. */
async function readInfos(link: RedisLink): Promise<ReadonlyMap<string, string>[]> {
	const texts = await link.infos().catch(() => []);
	return texts.map(
		(text) => new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]))
	);
}

/** How many sandboxes are asked for records at once, so that other commands wait little. */
const askedAtOnce = 500;

/**
 * A store in Redis or Valkey. All processes with the same keys are one service. A change is stored when its promise resolves.
 * @param rules how each kind is stored
 */
export function createRedisStore<S extends { [K in keyof S]: object }>(
	link: RedisLink,
	keys: RedisKeys,
	rules: StoreOptions<S>
): Store<S> {
	const open = new Map<string, RedisSandbox<S>>();
	const cacheLimit = new CacheLimit();
	const createName = () => randomBytes(9).toString('hex');
	const recordKeys = (sandbox: string) => kindsOf(rules).map((kind) => keys.kind(sandbox, kind));
	return {
		forSandbox(sandbox, clocks) {
			const known = open.get(sandbox);
			if (known !== undefined) return known;
			const wait = (milliseconds: number) => sleep(milliseconds);
			const made = new RedisSandbox<S>({ link, cacheLimit, keys, rules, sandbox, clocks, createName, sleep: wait });
			open.set(sandbox, made);
			return made;
		},
		async sandboxes() {
			const members = await link.send('smembers', keys.sandboxes);
			const ids = Array.isArray(members) ? members.map(String) : [];
			const hasRecords = (id: string) => link.send('exists', ...recordKeys(id).map(({ records }) => records));
			const found: string[] = [];
			for (let at = 0; at < ids.length; at += askedAtOnce) {
				const some = ids.slice(at, at + askedAtOnce);
				const counts = await Promise.all(some.map(hasRecords));
				found.push(...some.filter((_, index) => counts[index] !== 0));
			}
			return found;
		},
		async drop(sandbox) {
			open.get(sandbox)?.close();
			open.delete(sandbox);
			const traffic = keys.traffic(sandbox);
			const records = recordKeys(sandbox).flatMap(partsOf);
			const own = [keys.head(sandbox), keys.lock(sandbox), ...records, ...Object.values(traffic)];
			await link.run(dropSandbox, own, [traffic.entries]);
			await link.send('srem', keys.sandboxes, sandbox);
		},
		durableChanges: () => 0,
		settled: () => undefined
	};
}
