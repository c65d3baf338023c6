import { isProtected, weightOf } from '#store/collection-limits.ts';
import type { CollectionOptions, Expiring } from '#store/store.ts';
import { commitStaged, reserveVersions } from './record-scripts.ts';
import { full, holdingOf, lockedDelay } from './record-writer.server.ts';
import { partsOf, type KindKeys } from './redis-keys.ts';
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
	/** Whether it is in the list of evictable records. Those of a kind with owners are in its queue. */
	readonly isListed: boolean;
	readonly weight: number;
	readonly holding: string;
	readonly group: string;
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
		id,
		record,
		expires: record.expires,
		isListed: rules.owner === undefined && !isProtected(rules, record),
		weight: weightOf(rules, record),
		...holdingOf(rules, record)
	}));
	const weight = records.reduce((sum, record) => sum + record.weight, 0);
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
	const holdings = new Map<string, number>();
	for (let at = 0; at < records.length; at += stagedAtOnce) {
		const stored: Argument[] = [];
		const expiry: Argument[] = [];
		const evictable: Argument[] = [];
		const held: Argument[] = [];
		const queue: Argument[] = [];
		for (const { id, record, expires, isListed, weight, holding, group } of records.slice(at, at + stagedAtOnce)) {
			stored.push(id, writeStored(++version, weight, record));
			if (expires !== undefined) expiry.push(expires, id);
			if (isListed) evictable.push(version, id);
			if (holding === '') continue;
			held.push(id, `${holding};${weight};${group}`);
			for (const name of [holding, group]) if (name !== '') queue.push(0, queueMember(name, version, id));
			const owner = holding.slice(1);
			holdings.set(owner, (holdings.get(owner) ?? 0) + weight);
		}
		const write = (command: string, key: string, args: readonly Argument[]) =>
			args.length === 0 ? [] : [link.send(command, key, ...args), link.send('expire', key, stagedTime)];
		await Promise.all([
			...write('hset', staged.records, stored),
			...write('zadd', staged.expiry, expiry),
			...write('zadd', staged.evictable, evictable),
			...write('hset', staged.held, held),
			...write('zadd', staged.queue, queue)
		]);
	}
	const weights = [...holdings].flatMap(([name, weight]): Argument[] => [weight, name]);
	for (let at = 0; at < weights.length; at += stagedAtOnce * 2)
		await link.send('zadd', staged.holdings, ...weights.slice(at, at + stagedAtOnce * 2));
	if (weights.length > 0) await link.send('expire', staged.holdings, stagedTime);
}

/** As the script of a write names it. */
function queueMember(name: string, born: number, id: string): string {
	return `${name};${String(born).padStart(20, '0')};${id}`;
}
