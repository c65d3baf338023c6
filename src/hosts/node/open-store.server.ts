import { createMemoryStore } from '#store/memory.ts';
import type { Store } from '#store/store.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import type { ServerConfig } from '../config.server.ts';
import type { NodeServiceOptions } from '../node-service.server.ts';
import { openDiskStore } from './disk/disk-store.server.ts';

export type OpenedStore = {
	/** What the service uses of it. */
	readonly options: Pick<NodeServiceOptions, 'traffic' | 'secret' | 'hasOtherServers'> & {
		readonly store: Store<Records>;
	};
	/** Why it accepts no requests now; undefined if it does. */
	problem(): string | undefined | Promise<string | undefined>;
	/** What the operator should know about it. */
	readonly warning?: string | undefined;
	close(): Promise<void>;
};

/**
 * Opens the store that the settings choose.
 * @param report gets faults that no request waits for
 * @throws DiskError, RedisError if it cannot be used
 */
export async function openStore(
	{ store: kind, redis, dataFolder }: ServerConfig,
	report: (fault: unknown) => void
): Promise<OpenedStore> {
	if (redis !== undefined) {
		// Only a server with such a store loads the client.
		const { openRedis } = await import('./redis/open-redis.server.ts');
		const { store, traffic, secret, ...opened } = await openRedis<Records>(
			redis.url,
			redis.prefix,
			recordLimits,
			report
		);
		return {
			options: { store, traffic, secret, hasOtherServers: true },
			problem: () => opened.problem(),
			warning: opened.warning,
			close: async () => opened.close()
		};
	}
	if (kind === 'disk') {
		const store = await openDiskStore<Records>(dataFolder, recordLimits, report);
		return { options: { store }, problem: () => store.problem(), close: () => store.close() };
	}
	const store = createMemoryStore<Records>(recordLimits);
	return { options: { store }, problem: () => undefined, close: () => Promise.resolve() };
}
