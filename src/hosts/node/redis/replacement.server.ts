import { isProtected, weightOf } from '#store/collection-limits.ts';
import type { CollectionOptions, Expiring } from '#store/store.ts';
import { commitStaged, reserveVersions } from './record-scripts.ts';
import { full, lockedDelay } from './record-writer.server.ts';
import type { KindKeys } from './redis-keys.ts';
import type { Argument, RedisLink } from './redis-link.server.ts';
import { readParts, writeStored } from './stored-record.ts';

/** How long staged records are kept if their process ends, in seconds. */
const stagedTime = 120;
/** How many records one command stages. */
const stagedAtOnce = 500;

/** New records of one kind. */
export type ReplacedKind = {
	/** Those in use, and those that are staged in between. */
	readonly keys: { readonly live: KindKeys; readonly staged: KindKeys };
	readonly records: readonly PreparedRecord[];
	/** The field of the head that sums the weights; empty where each record counts 1. */
	readonly weightName: string;
	readonly weight: number;
};

type PreparedRecord = {
	readonly id: string;
	readonly record: object;
	readonly expires: number | undefined;
	readonly isProtected: boolean;
	readonly weight: number;
};

/**
 * Prepares the new records of a kind, each id once.
 * @param max the most that the sandbox holds
 * @throws StoreFull if there are more
 */
export function prepareRecords<T extends Expiring & object>(
	entries: readonly (readonly [id: string, record: T])[],
	rules: CollectionOptions<T>,
	max: number
): Pick<ReplacedKind, 'records' | 'weight'> {
	const records = [...new Map(entries)].map(([id, record]) => ({
		...{ id, record, expires: record.expires },
		...{ isProtected: isProtected(rules, record), weight: weightOf(rules, record) }
	}));
	const weight = records.reduce((sum, one) => sum + one.weight, 0);
	if (weight > max) throw full();
	return { records, weight };
}

/** What a replacement needs of its sandbox. */
export type ReplacementOptions = {
	readonly link: RedisLink;
	readonly head: string;
	readonly lock: string;
	/** The lock that this process holds; empty if it holds none. */
	readonly owner: string;
	/** Whether nothing was written to this sandbox before. */
	readonly isFirst: boolean;
	readonly sleep: (milliseconds: number) => Promise<void>;
};

/**
 * Replaces all records of some kinds. They are staged under other keys, so that the one step that puts them in place is short.
 * @returns false if the lock of this process has expired; nothing is changed then
 */
export async function replaceKinds(
	{ link, head, lock, owner, isFirst, sleep }: ReplacementOptions,
	kinds: readonly ReplacedKind[]
): Promise<boolean> {
	for (const kind of kinds) await stage(link, [head, lock], kind);
	const keys = kinds.flatMap(({ keys: { live, staged } }) => [...partsOf(live), ...partsOf(staged)]);
	const args = kinds.flatMap(({ weightName, weight }) => [weightName, weight]);
	for (;;) {
		const reply = await link.run(commitStaged, [head, lock, ...keys], [owner, isFirst ? 1 : 0, ...args]);
		const [outcome] = readParts(reply);
		if (outcome !== 'locked') return outcome !== 'changed';
		await sleep(lockedDelay);
	}
}

async function stage(
	link: RedisLink,
	head: readonly string[],
	{ keys: { staged }, records }: ReplacedKind
): Promise<void> {
	if (records.length === 0) return;
	const last = Number(await link.run(reserveVersions, head, [records.length]));
	let version = last - records.length;
	for (let at = 0; at < records.length; at += stagedAtOnce) {
		const stored: Argument[] = [];
		const expiry: Argument[] = [];
		const evictable: Argument[] = [];
		for (const { id, record, expires, isProtected, weight } of records.slice(at, at + stagedAtOnce)) {
			stored.push(id, writeStored(++version, weight, record));
			if (expires !== undefined) expiry.push(expires, id);
			if (!isProtected) evictable.push(version, id);
		}
		const write = (command: string, key: string, args: readonly Argument[]) =>
			args.length === 0 ? [] : [link.send(command, key, ...args), link.send('expire', key, stagedTime)];
		await Promise.all([
			...write('hset', staged.records, stored),
			...write('zadd', staged.expiry, expiry),
			...write('zadd', staged.evictable, evictable)
		]);
	}
}

/** The keys of a kind, in the order in which scripts take them. */
export function partsOf({ records, expiry, evictable }: KindKeys): string[] {
	return [records, expiry, evictable];
}
