import type { Records } from '#service/sandbox/records.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { upgradeTrafficEntry } from '#api/earlier-traffic-entry.ts';
import type { UnreferencedEntry } from '#api/value-references.ts';
import type { RecordSet } from '#store/store.ts';
import { RecordSets, type Entry } from '#store/change-log.ts';

/** Everything that the database holds. Cookies belong to the root sandbox. */
export type Stored = Records & {
	cookie: string;
	/** An earlier version of the app saved no references. */
	traffic: TrafficEntry | UnreferencedEntry;
	/** Kept after a traffic log was cleared, so that its numbers continue. */
	cleared_traffic: { readonly last: number };
};

type SavedLog = { readonly entries: TrafficEntry[]; last: number };

/** The entries of a database, by what they are. */
export type SavedData = {
	readonly cookies: readonly (readonly [name: string, value: string])[];
	/** By sandbox. */
	readonly records: ReadonlyMap<string, RecordSet<Records>>;
	/** By sandbox. */
	readonly logs: ReadonlyMap<string, Readonly<SavedLog>>;
};

/**
 * Sorts the entries of a database.
 * @param entries oldest first
 */
export function readSavedData(entries: readonly Entry<Stored>[]): SavedData {
	const cookies: [string, string][] = [];
	const records = new RecordSets<Records>();
	const logs = new Map<string, SavedLog>();
	for (const entry of entries) {
		if (entry.kind === 'cookie') cookies.push([entry.id, entry.value]);
		else if (entry.kind === 'traffic') {
			const log = getOrAdd(logs, entry.sandbox, emptyLog);
			log.entries.push(upgradeTrafficEntry(entry.value));
			log.last = Math.max(log.last, entry.value.seq);
		} else if (entry.kind === 'cleared_traffic') {
			const log = getOrAdd(logs, entry.sandbox, emptyLog);
			log.last = Math.max(log.last, entry.value.last);
		} else {
			records.add(entry.sandbox, entry.kind, entry.id, entry.value);
		}
	}
	return { cookies, records: records.bySandbox, logs };
}

export function emptyLog(): SavedLog {
	return { entries: [], last: 0 };
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}
