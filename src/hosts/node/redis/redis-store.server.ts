import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store, StoreOptions } from '#store/store.ts';
import { dropSandbox } from './record-scripts.ts';
import { CacheLimit } from './cache-limit.ts';
import { partsOf, type RedisKeys } from './redis-keys.ts';
import type { RedisLink } from './redis-link.server.ts';
import { kindsOf, RedisSandbox } from './redis-sandbox.server.ts';

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
