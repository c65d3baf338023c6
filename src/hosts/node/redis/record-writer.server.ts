import type { CollectionOptions, Expiring } from '#store/store.ts';
import { StoreFull } from '#store/errors.ts';
import { groupOf, isProtected, noOwner, ownerOf, weightOf } from '#store/collection-limits.ts';
import type { CacheLimit } from './cache-limit.ts';
import type { Argument, RedisLink } from './redis-link.server.ts';
import {
	absent,
	commitStaged,
	readParts,
	readStored,
	reserveVersions,
	type StoredRecord,
	writeRecord,
	writeStored
} from './record-scripts.ts';
import { type KindKeys, partsOf } from './redis-keys.ts';

/** How long a write waits before it tries again while another process replaces the records, in milliseconds. */
export const lockedDelay = 20;

type Change<T> = (now: T | undefined) => T | undefined;
type Waiting<T> = {
	readonly change: Change<T>;
	readonly resolve: (next: T | undefined) => void;
	readonly reject: (fault: unknown) => void;
};

/** What the changes that are written together lead to. */
type Written<T> = {
	readonly next: T | undefined;
	/** Whether the record is deleted and created again in between, so that it is the youngest. */
	readonly isNew: boolean;
	readonly isChanged: boolean;
	/** What each change returned, or threw. */
	readonly results: readonly ({ readonly next: T | undefined } | { readonly fault: unknown })[];
};

/** What a writer needs of its kind. */
export type WriterOptions<T extends Expiring> = {
	readonly link: RedisLink;
	readonly cacheLimit: CacheLimit;
	readonly rules: CollectionOptions<T>;
	/** The most that the sandbox holds of the kind. */
	readonly max: number;
	/** Head, lock, and the keys of the kind. */
	readonly keys: readonly string[];
	/** What scripts get about the kind. */
	readonly about: readonly Argument[];
	readonly now: () => number;
	/** Called before each write. Returns whether it is the first to this sandbox. */
	readonly prepare: () => Promise<boolean>;
	/** Called after each write. */
	readonly written: () => void;
	readonly sleep: (milliseconds: number) => Promise<void>;
};

/**
 * Changes the records of one kind. Concurrent changes of a record are written together. A write names the version that it replaces:
 * the one that this process wrote last, or none. If another process has changed the record, Redis returns it, and the changes run again.
 */
export class RecordWriter<T extends Expiring & object> {
	readonly #options: WriterOptions<T>;
	readonly #waiting = new Map<string, Waiting<T>[]>();
	/** The records that this process wrote last. */
	readonly #known = new Map<string, StoredRecord<T>>();

	constructor(options: WriterOptions<T>) {
		this.#options = options;
	}

	/** Changes a record, see `SandboxStore.update`. */
	update(id: string, change: Change<T>): Promise<T | undefined> {
		return new Promise((resolve, reject) => {
			const waiting = this.#waiting.get(id);
			if (waiting !== undefined) {
				waiting.push({ change, resolve, reject });
				return;
			}
			this.#waiting.set(id, [{ change, resolve, reject }]);
			void this.#writeAll(id);
		});
	}

	/** Reads a stored record, also an expired one. */
	async read(id: string): Promise<StoredRecord<T>> {
		return readStored<T>(await this.#options.link.send('hget', this.#recordsKey, id), this.#options.rules.required);
	}

	/** Whether a record can be seen. */
	isLive(record: T | undefined): record is T {
		return record !== undefined && (record.expires === undefined || record.expires > this.#options.now());
	}

	get #recordsKey(): string {
		return this.#options.keys[2] ?? '';
	}

	async #writeAll(id: string): Promise<void> {
		for (let batch = this.#waiting.get(id) ?? []; batch.length > 0; batch = this.#waiting.get(id) ?? []) {
			this.#waiting.set(id, []);
			try {
				await this.#write(id, batch);
			} catch (fault) {
				for (const { reject } of batch) reject(fault);
			}
		}
		this.#waiting.delete(id);
	}

	async #write(id: string, batch: readonly Waiting<T>[]): Promise<void> {
		const isFirst = await this.#options.prepare();
		let stored: StoredRecord<T> = this.#known.get(id) ?? absent;
		for (let isRead = false; ;) {
			const outcome = this.#apply(batch, stored.record);
			const isFinal = !outcome.isChanged || outcome.results.some((result) => 'fault' in result);
			if (isFinal && !isRead) {
				stored = await this.read(id);
				isRead = true;
				continue;
			}
			const [status, first = ''] = outcome.isChanged ? await this.#send(id, stored.version, outcome, isFirst) : ['ok'];
			if (status === 'locked') await this.#options.sleep(lockedDelay);
			else if (status === 'changed') {
				stored = readStored<T>(first, this.#options.rules.required);
				isRead = true;
			} else if (status === 'full') {
				this.#forget(id);
				if (batch.length === 1) throw full();
				// Each of them may fit alone.
				for (const write of batch) await this.#write(id, [write]).catch((fault: unknown) => write.reject(fault));
				return;
			} else {
				settle(batch, outcome);
				return;
			}
		}
	}

	#apply(batch: readonly Waiting<T>[], stored: T | undefined): Written<T> {
		let now = this.isLive(stored) ? stored : undefined;
		const before = now;
		let isNew = now === undefined;
		const results = batch.map(({ change }) => {
			try {
				now = change(now);
			} catch (fault) {
				return { fault };
			}
			isNew ||= now === undefined;
			return { next: now };
		});
		return { next: now, isNew, isChanged: now !== before, results };
	}

	async #send(id: string, expected: string, { next, isNew }: Written<T>, isFirst: boolean): Promise<string[]> {
		const { link, keys, rules, max, about, now } = this.#options;
		const fields = next === undefined ? ['', '', 0, 0, '', ''] : fieldsOf(rules, next);
		const limits = [max, rules.maxPerGroup?.max ?? 0];
		const args = [...about, isFirst ? 1 : 0, id, expected, ...fields, ...limits, isNew ? 1 : 0, now()];
		const parts = readParts(await link.run(writeRecord, keys, args));
		const [status, version = '', born = ''] = parts;
		if (status === 'ok') {
			this.#remember(id, { version, born, record: next }, String(fields[0]).length);
			this.#options.written();
		}
		return parts;
	}

	#remember(id: string, stored: StoredRecord<T>, size: number): void {
		this.#forget(id);
		if (stored.record === undefined) return;
		this.#known.set(id, stored);
		this.#options.cacheLimit.hold(stored, size, () => this.#known.delete(id));
	}

	#forget(id: string): void {
		const stored = this.#known.get(id);
		if (stored === undefined) return;
		this.#options.cacheLimit.release(stored);
		this.#known.delete(id);
	}
}

/** A record, its expiry, whether it is protected, its weight, its holding and its group, as the script takes them. */
function fieldsOf<T extends Expiring>(rules: CollectionOptions<T>, record: T): (string | number)[] {
	const { expires = '' } = record;
	const { holding, group } = holdingOf(rules, record);
	return [JSON.stringify(record), expires, isProtected(rules, record) ? 1 : 0, weightOf(rules, record), holding, group];
}

/** The names of what a record counts for, without a semicolon. Empty where it is never evicted, or counts for no group. */
function holdingOf<T extends Expiring>(
	rules: CollectionOptions<T>,
	record: T
): { readonly holding: string; readonly group: string } {
	const owner = ownerOf(rules, record);
	const tier = isProtected(rules, record) ? 'p' : 'u';
	const isHeld = rules.owner !== undefined && (tier === 'u' || owner !== noOwner);
	const group = groupOf(rules, record);
	return {
		holding: isHeld ? `${tier}${encodeURIComponent(owner)}` : '',
		group: group === undefined ? '' : `g${encodeURIComponent(group)}`
	};
}

function settle<T>(batch: readonly Waiting<T>[], { results }: Written<T>): void {
	batch.forEach(({ resolve, reject }, at) => {
		const result = results[at];
		if (result !== undefined && 'fault' in result) reject(result.fault);
		else resolve(result?.next);
	});
}

/** The same for each store. */
function full(): StoreFull {
	return new StoreFull(
		'The sandbox holds the maximum number of records of this kind. Delete one that you no longer need.'
	);
}

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
type ReplacementOptions = {
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
