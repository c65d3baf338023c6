import type { ListRecords, NumberField, RecordKey, RecordSet, SandboxStore } from '#store/store.ts';
import { nameOf } from './stable-records.ts';
import { trusted } from './stored-record.ts';

type Kind<S> = keyof S & string;

/** What `RequestRecords` needs of its sandbox. */
export interface SandboxRecords<S> extends SandboxStore<S> {
	/** The record, or undefined if it has expired. */
	live<K extends Kind<S>>(kind: K, record: S[K] | undefined): S[K] | undefined;
	isStable(kind: Kind<S>): boolean;
	/** A stable record, not older than the beginning of any request that runs. */
	getStable<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined>;
	listStable<K extends Kind<S>>(kind: K): Promise<[id: string, record: S[K]][]>;
}

/** The records of a sandbox, for one request. */
export class RequestRecords<S extends { [K in keyof S]: object }> implements SandboxStore<S> {
	readonly #sandbox: SandboxRecords<S>;
	/** What was read at the beginning. Each is for one use: who reads a record twice wants to know whether it has changed. */
	readonly #read: Map<string, object | undefined>;

	constructor(sandbox: SandboxRecords<S>, read: Map<string, object | undefined>) {
		this.#sandbox = sandbox;
		this.#read = read;
	}

	begin(expected: () => readonly RecordKey<S>[]): SandboxStore<S> | Promise<SandboxStore<S>> {
		return this.#sandbox.begin(expected);
	}

	async get<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		const name = nameOf(kind, id);
		const record = this.#read.get(name);
		if (this.#read.delete(name)) return this.#sandbox.live(kind, trusted<S[K] | undefined>(record));
		return this.#sandbox.isStable(kind) ? this.#sandbox.getStable(kind, id) : this.#sandbox.get(kind, id);
	}

	update<K extends Kind<S>>(kind: K, id: string, change: (now: S[K] | undefined) => S[K] | undefined) {
		this.#read.delete(nameOf(kind, id));
		return this.#sandbox.update(kind, id, change);
	}

	delete<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		this.#read.delete(nameOf(kind, id));
		return this.#sandbox.delete(kind, id);
	}

	list<K extends Kind<S>>(kind: K): Promise<[id: string, record: S[K]][]> {
		return this.#sandbox.isStable(kind) ? this.#sandbox.listStable(kind) : this.#sandbox.list(kind);
	}

	lowest<K extends Kind<S>>(kind: K, field: NumberField<S[K]>, above: number, most: number) {
		return this.#sandbox.lowest(kind, field, above, most);
	}

	count(): Promise<number> {
		return this.#sandbox.count();
	}

	replace(contents: RecordSet<S> | ((list: ListRecords<S>) => RecordSet<S>)): Promise<void> {
		this.#read.clear();
		return this.#sandbox.replace(contents);
	}

	purge(): Promise<number> {
		return this.#sandbox.purge();
	}
}
