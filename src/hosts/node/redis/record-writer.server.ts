import type { CollectionOptions, Expiring } from '#store/store.ts';
import { StoreFull } from '#store/errors.ts';
import { groupOf, isProtected, noOwner, ownerOf, weightOf } from '#store/collection-limits.ts';
import type { CacheLimit } from './cache-limit.ts';
import type { Argument, RedisLink } from './redis-link.server.ts';
import { writeRecord } from './record-scripts.ts';
import { absent, readParts, readStored, type StoredRecord } from './stored-record.ts';

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
export function holdingOf<T extends Expiring>(
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
export function full(): StoreFull {
	return new StoreFull(
		'The sandbox holds the maximum number of records of this kind. Delete one that you no longer need.'
	);
}
