import { randomBytes } from 'node:crypto';
import { placeOf } from './redis-address.ts';
import { RedisError } from './redis-error.ts';
import type { RedisKeys } from './redis-keys.ts';
import type { RedisLink } from './redis-link.server.ts';

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
