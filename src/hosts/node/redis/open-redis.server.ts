import { randomBytes } from 'node:crypto';
import type { TrafficLimits } from '#service/traffic/traffic-limits.ts';
import type { TrafficLog } from '#service/traffic/traffic-log.ts';
import type { Store, StoreOptions } from '#store/store.ts';
import { placeOf, RedisError } from './redis-error.ts';
import { RedisKeys } from './redis-keys.ts';
import { RedisLink } from './redis-link.server.ts';
import { RedisChannels } from './redis-channels.server.ts';
import { createRedisStore } from './redis-store.server.ts';
import { RedisTrafficLog } from './redis-traffic-log.server.ts';

/** The version of the layout of all keys. Data of another version is not used, and stays as it is. */
const version = '1';

/** What several processes share. */
export type SharedStore<S> = {
	readonly store: Store<S>;
	/** The traffic log of a sandbox. */
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
	const link = await RedisLink.open(url, report);
	const keys = new RedisKeys(prefix);
	try {
		const info = await readInfo(link);
		const place = placeOf(url);
		if (info.get('redis_mode') === 'cluster')
			throw new RedisError(`The store at ${place} (STORE) is a cluster. Use a single Redis or Valkey.`);
		const policy = info.get('maxmemory_policy') ?? 'noeviction';
		if (policy !== 'noeviction' && info.get('maxmemory') !== '0')
			throw new RedisError(
				`The store at ${place} (STORE) deletes records when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`
			);
		await checkVersion(link, keys, place, prefix);
		await link.send('set', keys.secret, randomBytes(24).toString('base64url'), 'NX');
		const channels = await RedisChannels.open(link);
		return {
			store: createRedisStore(link, keys, rules),
			traffic: (sandbox, limits) => new RedisTrafficLog({ link, keys, channels, sandbox, limits }),
			secret: String(await link.send('get', keys.secret)),
			warning:
				info.get('aof_enabled') === '0'
					? `The store at ${place} has no append-only file, so its data is lost when it stops. Set appendonly to yes.`
					: undefined,
			problem: () => link.problem(),
			close() {
				channels.close();
				link.close();
			}
		};
	} catch (error) {
		link.close();
		throw error instanceof RedisError ? error : RedisError.at(url, error instanceof Error ? error.cause : error);
	}
}

async function checkVersion(link: RedisLink, keys: RedisKeys, place: string, prefix: string): Promise<void> {
	if ((await link.send('set', keys.version, version, 'NX')) === 'OK') return;
	// Not with `get`: the key may hold another type than text.
	const found = await link.send('get', keys.version).catch(() => undefined);
	if (found === version) return;
	const what = typeof found === 'string' && /^\d{1,9}$/.test(found) ? `of version ${found}` : 'not of Tollgate';
	throw new RedisError(
		`The data at ${place} with the prefix "${prefix}" is ${what}. This Tollgate reads version ${version}. Use the Tollgate that wrote it, or choose another prefix: STORE_PREFIX=name`
	);
}

/** What Redis reports about itself (INFO). Empty if this user may not read it. */
async function readInfo(link: RedisLink): Promise<ReadonlyMap<string, string>> {
	const text = String(await link.send('info').catch(() => ''));
	return new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]));
}
