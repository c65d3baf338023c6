import { maxIn } from '#store/collection-limits.ts';
import type {
	Clocks,
	ListRecords,
	NumberField,
	RecordKey,
	RecordSet,
	SandboxStore,
	StoreOptions
} from '#store/store.ts';
import {
	absent,
	deleteRecord,
	purgeRecords,
	readAll,
	readParts,
	readStored,
	soonestRecords,
	unlock
} from './record-scripts.ts';
import type { CacheLimit } from './cache-limit.ts';
import { lockedDelay, prepareRecords, RecordWriter, type ReplacedKind, replaceKinds } from './record-writer.server.ts';
import { partsOf, type RedisKeys } from './redis-keys.ts';
import type { Argument, RedisLink } from './redis-link.server.ts';
import { RequestReader, type SandboxRecords } from './request-reader.server.ts';

type Kind<S> = keyof S & string;
type Writers<S> = { [K in Kind<S>]?: RecordWriter<S[K] & object> };
type Lists<S> = { [K in Kind<S>]?: [id: string, record: S[K]][] };

/** How long a replacement may keep other writes waiting, in milliseconds. */
const lockTime = 10_000;

/** What the records of a sandbox need of their store. */
export type RedisSandboxOptions<S> = {
	readonly link: RedisLink;
	/** Of all sandboxes. */
	readonly cacheLimit: CacheLimit;
	readonly keys: RedisKeys;
	readonly rules: StoreOptions<S>;
	readonly sandbox: string;
	readonly clocks: Clocks;
	/** Returns a name that no other call returns. */
	readonly createName: () => string;
	readonly sleep: (milliseconds: number) => Promise<void>;
};

export class RedisSandbox<S extends { [K in keyof S]: object }> implements SandboxRecords<S> {
	readonly #options: RedisSandboxOptions<S>;
	readonly #head: readonly [head: string, lock: string];
	readonly #reader: RequestReader<S>;
	#writers: Writers<S> = {};
	#isClosed = false;
	#connection = 0;
	#registration: Promise<unknown> | undefined;

	constructor(options: RedisSandboxOptions<S>) {
		this.#options = options;
		const { keys, sandbox } = options;
		this.#head = [keys.head(sandbox), keys.lock(sandbox)];
		this.#reader = new RequestReader(options);
	}

	/** Later writes are not stored: a request in progress may still write to a dropped sandbox. */
	close(): void {
		this.#isClosed = true;
	}

	begin(expected: () => readonly RecordKey<S>[]): SandboxStore<S> | Promise<SandboxStore<S>> {
		return this.#isClosed ? this : this.#reader.begin(this, expected());
	}

	live<K extends Kind<S>>(kind: K, record: S[K] | undefined): S[K] | undefined {
		return this.#writer(kind).isLive(record) ? record : undefined;
	}

	isStable(kind: Kind<S>): boolean {
		return this.#reader.isStable(kind);
	}

	async get<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		return this.live(kind, (await this.#writer(kind).read(id)).record);
	}

	async getStable<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		return this.live(kind, await this.#reader.get(kind, id));
	}

	async listStable<K extends Kind<S>>(kind: K): Promise<[string, S[K]][]> {
		return this.#live(kind, await this.#reader.list(kind));
	}

	async update<K extends Kind<S>>(
		kind: K,
		id: string,
		change: (now: S[K] | undefined) => S[K] | undefined
	): Promise<S[K] | undefined> {
		return this.#isClosed ? change(undefined) : this.#writer(kind).update(id, change);
	}

	async delete<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		const { link, rules, sleep } = this.#options;
		for (;;) {
			const reply = await link.run(deleteRecord, this.#keys(kind), [...aboutKind(rules, kind), id]);
			const [outcome, stored] = readParts(reply);
			if (outcome !== 'locked') {
				if (this.isStable(kind)) this.#reader.forget();
				return this.live(kind, readStored<S[K]>(stored, rules[kind].required).record);
			}
			await sleep(lockedDelay);
		}
	}

	async list<K extends Kind<S>>(kind: K): Promise<[string, S[K]][]> {
		return this.#live(kind, await this.#readAll(kind));
	}

	async lowest<K extends Kind<S>>(kind: K, field: NumberField<S[K]>, above: number, most: number) {
		if (String(field) === 'expires') return this.#soonest(kind, above, most);
		const valueOf = (record: S[K]): number => {
			const value: unknown = record[field];
			return typeof value === 'number' ? value : -Infinity;
		};
		const found = (await this.list(kind)).filter(([, record]) => valueOf(record) > above);
		const records = found.sort(([, one], [, other]) => valueOf(one) - valueOf(other)).slice(0, most);
		return { records, total: found.length };
	}

	/** `lowest` of the expiry, by which records are sorted already. */
	async #soonest<K extends Kind<S>>(kind: K, above: number, most: number) {
		const { link, rules, clocks } = this.#options;
		const bound = Math.max(above, clocks[rules[kind].clock]());
		const reply = await link.run(soonestRecords, this.#keys(kind).slice(2, 4), [`(${bound}`, most]);
		const [total, ...found] = readParts(reply);
		const records = found.flatMap((id, at): [string, S[K]][] => {
			const { record } = at % 2 === 0 ? readStored<S[K]>(found[at + 1], rules[kind].required) : absent;
			return record === undefined ? [] : [[id, record]];
		});
		return { records, total: Number(total) };
	}

	async count(): Promise<number> {
		const { link, rules } = this.#options;
		const counts = kindsOf(rules).map((kind) => link.send('hlen', this.#keys(kind)[2] ?? ''));
		return (await Promise.all(counts)).reduce<number>((sum, count) => sum + Number(count), 0);
	}

	async replace(replacement: RecordSet<S> | ((list: ListRecords<S>) => RecordSet<S>)): Promise<void> {
		if (this.#isClosed) return;
		const isFirst = await this.#prepare();
		if (typeof replacement !== 'function') {
			await this.#replaceBy(replacement, isFirst, '');
			return;
		}
		const { link, createName, sleep } = this.#options;
		const [, lock] = this.#head;
		const owner = createName();
		for (let isDone = false; !isDone;) {
			while ((await link.send('set', lock, owner, 'PX', lockTime, 'NX')) !== 'OK') await sleep(lockedDelay);
			try {
				isDone = await this.#replaceBy(replacement(await this.#snapshot()), isFirst, owner);
			} finally {
				await link.run(unlock, [lock], [owner]);
			}
		}
	}

	async purge(): Promise<number> {
		const { link, rules, clocks } = this.#options;
		const kinds = kindsOf(rules);
		const args = kinds.flatMap((kind) => [...aboutKind(rules, kind), clocks[rules[kind].clock]()]);
		const keys = [...this.#head, ...kinds.flatMap((kind) => this.#keys(kind).slice(2))];
		return Number(await link.run(purgeRecords, keys, args));
	}

	async #replaceBy(contents: RecordSet<S>, isFirst: boolean, owner: string): Promise<boolean> {
		const { link, rules, createName, sleep } = this.#options;
		const [head, lock] = this.#head;
		const name = createName();
		const kinds = kindsOf(rules).flatMap((kind) => this.#prepareKind(kind, contents[kind], name));
		const isDone = await replaceKinds({ link, head, lock, owner, isFirst, sleep }, kinds);
		this.#reader.forget();
		return isDone;
	}

	#prepareKind<K extends Kind<S>>(kind: K, entries: RecordSet<S>[K], name: string): ReplacedKind[] {
		if (entries === undefined) return [];
		const { keys, sandbox, rules } = this.#options;
		const prepared = prepareRecords<S[K]>(entries, rules[kind], maxIn(rules[kind], sandbox));
		const ownKeys = { live: keys.kind(sandbox, kind), staged: keys.kind(sandbox, kind, name) };
		return [{ ...prepared, keys: ownKeys, weightName: weightName(rules, kind) }];
	}

	/** Reads all records, for the caller that has the lock. */
	async #snapshot(): Promise<ListRecords<S>> {
		const lists: Lists<S> = {};
		const read = async <K extends Kind<S>>(kind: K) => {
			lists[kind] = await this.#readAll(kind);
		};
		await Promise.all(kindsOf(this.#options.rules).map(read));
		return (kind) => this.#live(kind, lists[kind] ?? []);
	}

	async #readAll<K extends Kind<S>>(kind: K): Promise<[string, S[K]][]> {
		const { link, keys, sandbox, rules } = this.#options;
		return readAll<S[K]>(await link.send('hgetall', keys.kind(sandbox, kind).records), rules[kind].required);
	}

	#live<K extends Kind<S>>(kind: K, records: readonly [string, S[K]][]): [string, S[K]][] {
		return records.filter(([, record]) => this.live(kind, record) !== undefined);
	}

	/** Head, lock, and the keys of a kind. */
	#keys(kind: string): string[] {
		const { keys, sandbox } = this.#options;
		return [...this.#head, ...partsOf(keys.kind(sandbox, kind))];
	}

	#writer<K extends Kind<S>>(kind: K): RecordWriter<S[K]> {
		const { link, cacheLimit, rules, sandbox, clocks, sleep } = this.#options;
		// Redis may have lost what was written over an earlier connection.
		if (this.#connection !== link.connections) {
			this.#connection = link.connections;
			this.#writers = {};
		}
		const known = this.#writers[kind];
		if (known !== undefined) return known;
		const writer = new RecordWriter<S[K]>({
			link,
			cacheLimit,
			rules: rules[kind],
			sleep,
			keys: this.#keys(kind),
			about: aboutKind(rules, kind),
			max: maxIn(rules[kind], sandbox),
			now: () => clocks[rules[kind].clock](),
			prepare: () => this.#prepare(),
			written: () => {
				if (this.isStable(kind)) this.#reader.forget();
			}
		});
		this.#writers[kind] = writer;
		return writer;
	}

	/** Adds the sandbox to those of the store before its first write. Returns whether this is the first one. */
	async #prepare(): Promise<boolean> {
		const isFirst = this.#registration === undefined;
		this.#registration ??= this.#register();
		await this.#registration;
		return isFirst;
	}

	async #register(): Promise<void> {
		const { link, keys, sandbox } = this.#options;
		try {
			await link.send('sadd', keys.sandboxes, sandbox);
		} catch (fault) {
			// The next write tries again.
			this.#registration = undefined;
			throw fault;
		}
	}
}

export function kindsOf<S>(rules: StoreOptions<S>): Kind<S>[] {
	const kinds: Kind<S>[] = [];
	for (const kind in rules) kinds.push(kind);
	return kinds;
}

/** What scripts get about a kind: the field of its weight, whether its records have owners, and whether they are stable. */
function aboutKind<S>(rules: StoreOptions<S>, kind: keyof S & string): Argument[] {
	const { owner, isStable } = rules[kind];
	return [weightName(rules, kind), owner === undefined ? 0 : 1, isStable === true ? 1 : 0];
}

/** The field of the head that sums the weights of a kind; empty where each record counts 1. */
function weightName<S>(rules: StoreOptions<S>, kind: keyof S & string): string {
	return rules[kind].weightField === undefined ? '' : `weight:${kind}`;
}
