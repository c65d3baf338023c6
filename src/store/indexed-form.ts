import type { Expiring } from './store.ts';

/** How a record lies in IndexedDB, under the key `[sandbox, kind, id]`. */
export type Stored<Entry extends Expiring> = {
	readonly sandbox: string;
	readonly kind: string;
	readonly id: string;
	/** Orders records by age: milliseconds on the real clock, made unique. */
	readonly born: number;
	/** Milliseconds on the clock of its kind. IndexedDB leaves records without it out of the index. */
	readonly expires?: number;
	readonly record: Entry;
};

/** What a kind holds in the units of its rules; under the key `[sandbox, kind]`, in no index. */
export type Tally = { readonly weight: number };

/**
 * Makes the object store and its indexes, in the transaction of a database's upgrade.
 * @param name of the object store
 */
export function createRecordStore(database: IDBDatabase, name: string): void {
	const objects = database.createObjectStore(name);
	objects.createIndex('age', ['sandbox', 'kind', 'born']);
	objects.createIndex('expiry', ['sandbox', 'kind', 'expires']);
}

/** Everything whose key, in the object store or its index of age, begins so: an array is greater than any number or text. */
export function below(...key: readonly string[]): IDBKeyRange {
	return IDBKeyRange.bound([...key], [...key, []]);
}
