import type { Records } from '#service/records.ts';
import type { TrafficEntry } from '#wire/control/traffic.ts';
import type { RecordSet } from '#store/store.ts';
import type { Entry } from './database.ts';

/** Everything that the database holds. Cookies belong to the root sandbox. */
export type Stored = Records & {
	cookie: string;
	traffic: TrafficEntry;
	/** Kept after a traffic log was cleared, so that its numbers continue. */
	cleared_traffic: { readonly last: number };
};

/** A traffic log: its entries, and the number of the last one so far. */
type SavedLog = { readonly entries: TrafficEntry[]; last: number };

/** The entries of a database, by what they are. */
export type SavedData = {
	readonly cookies: readonly (readonly [name: string, value: string])[];
	/** By sandbox. */
	readonly records: ReadonlyMap<string, RecordSet<Records>>;
	/** By sandbox. */
	readonly logs: ReadonlyMap<string, Readonly<SavedLog>>;
};

type Kind = keyof Records;
type MutableRecordSet = { [K in Kind]?: [id: string, record: Records[K]][] };

/**
 * Sorts the entries of a database.
 * @param entries oldest first
 */
export function readSavedData(entries: readonly Entry<Stored>[]): SavedData {
	const cookies: [string, string][] = [];
	const records = new Map<string, MutableRecordSet>();
	const logs = new Map<string, SavedLog>();
	for (const entry of entries) {
		if (entry.kind === 'cookie') cookies.push([entry.id, entry.value]);
		else if (entry.kind === 'traffic') {
			const log = getOrAdd(logs, entry.sandbox, emptyLog);
			log.entries.push(entry.value);
			log.last = Math.max(log.last, entry.value.seq);
		} else if (entry.kind === 'cleared_traffic') {
			const log = getOrAdd(logs, entry.sandbox, emptyLog);
			log.last = Math.max(log.last, entry.value.last);
		} else {
			const set = getOrAdd(records, entry.sandbox, (): MutableRecordSet => ({}));
			addRecord(set, entry.kind, entry.id, entry.value);
		}
	}
	return { cookies, records, logs };
}

export function emptyLog(): SavedLog {
	return { entries: [], last: 0 };
}

function addRecord<K extends Kind>(
	records: { [P in K]?: [string, Records[P]][] },
	kind: K,
	id: string,
	record: Records[K]
): void {
	(records[kind] ??= []).push([id, record]);
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}
