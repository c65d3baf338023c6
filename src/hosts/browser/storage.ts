import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { rootSandbox } from '#service/core/target.ts';
import { createTrafficLog, type TrafficLimits, type TrafficLog } from '#service/traffic/traffic-log.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { RecordSet, Store } from '#store/store.ts';
import { type DatabaseEvents, EntryDatabase } from './database.ts';
import type { StorageStatus } from './worker-messages.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { upgradeTrafficEntry } from '#api/earlier-traffic-entry.ts';
import type { UnreferencedEntry } from '#api/value-references.ts';
import { type Entry, RecordSets } from '#store/change-log.ts';
import { headerValues } from '#api/headers.ts';

/** How long the database may take to open, in milliseconds. */
const openTimeout = 5_000;
/** The most records of one kind in one sandbox. All of them are read when the worker starts. */
const maxPerKind = 20_000;

/** The service's data. It is in memory, and `flush` writes the changes to IndexedDB. */
export type Storage = {
	readonly store: Store<Records>;
	readonly cookies: CookieJar;
	readonly traffic: (sandbox: string, limits: () => TrafficLimits) => TrafficLog;
	status(): StorageStatus;
	/** Resolves when all changes so far are written. Never rejects. */
	flush(): Promise<void>;
	/** Deletes everything. The storage cannot be used afterwards. Never rejects. */
	erase(): Promise<void>;
};

/**
 * Opens the service's data, as the last run of the worker left it. If the browser offers no storage, the data is in memory only.
 * @param name of the database
 * @param onClosed called when the database was deleted or upgraded elsewhere: the storage must be opened again
 */
export async function openStorage(name: string, onClosed: () => void): Promise<Storage> {
	let status: StorageStatus = { storage: 'stored' };
	const opened = await open(name, { onClosed, onFailed: (reason) => (status = inMemory(reason)) }).catch(
		(reason: unknown) => {
			status = inMemory(reason);
			return undefined;
		}
	);
	const database = opened?.database;
	const saved = readSavedData(opened?.entries ?? []);
	// Requests in progress may have logged to a sandbox after it was deleted.
	for (const sandbox of saved.logs.keys()) if (!saved.records.has(sandbox)) database?.deleteSandbox(sandbox);
	const store = createMemoryStore<Records>(recordLimits, {
		maxPerKind,
		initial: saved.records,
		onChange: (sandbox, kind, id, record) =>
			database?.set(sandbox, kind, id, record, recordLimits[kind].durable === true)
	});
	return {
		store: {
			...store,
			async drop(sandbox) {
				await store.drop(sandbox);
				database?.deleteSandbox(sandbox);
			}
		},
		cookies: new CookieJar(saved.cookies, (cookie, value) => database?.set(rootSandbox, 'cookie', cookie, value)),
		traffic: (sandbox, limits) =>
			createTrafficLog(limits, {
				...(saved.logs.get(sandbox) ?? emptyLog()),
				onChange: (seq, entry) => database?.set(sandbox, 'traffic', String(seq), entry),
				onClear: (last) => database?.set(sandbox, 'cleared_traffic', '', { last })
			}),
		status: () => status,
		flush: async () => database?.flush(),
		erase: async () => database?.erase()
	};
}

function open(name: string, events: DatabaseEvents): ReturnType<typeof EntryDatabase.open<Stored>> {
	return new Promise((resolve, reject) => {
		const late = () => reject(new Error('The browser took too long to open its storage.'));
		const timer = setTimeout(late, openTimeout);
		EntryDatabase.open<Stored>(name, events)
			.then(resolve, reject)
			.finally(() => clearTimeout(timer));
	});
}

function inMemory(reason: unknown): StorageStatus {
	return { storage: 'memory', problem: `${explain(reason)} Data is lost when the browser stops the service.` };
}

function explain(reason: unknown): string {
	const name = reason instanceof DOMException ? reason.name : undefined;
	if (name === 'VersionError')
		return 'This browser has data of a newer version of Tollgate. Reload the page to update.';
	if (name === 'QuotaExceededError')
		return "The browser's storage is full. Free some disk space, then reload the page.";
	return `The browser offers no storage (${reason instanceof Error ? reason.message : String(reason)}).`;
}

/** Everything that the database holds. Cookies belong to the root sandbox. */
type Stored = Records & {
	cookie: string;
	/** An earlier version of the app saved no references. */
	traffic: TrafficEntry | UnreferencedEntry;
	/** Kept after a traffic log was cleared, so that its numbers continue. */
	cleared_traffic: { readonly last: number };
};

type SavedLog = { readonly entries: TrafficEntry[]; last: number };

/** The entries of a database, by what they are. */
type SavedData = {
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

function emptyLog(): SavedLog {
	return { entries: [], last: 0 };
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}

/** Each sandbox has at most two cookies. Chromium keeps 180 for one host. */
const maxCookies = 180;

/**
 * The cookies of the service. A service worker cannot set cookies, so they are sent and stored here. All of them have `Path=/`,
 * `Secure`, `HttpOnly` and `SameSite=Lax`, and none expires before the service deletes it.
 */
export class CookieJar {
	readonly #cookies: Map<string, string>;
	readonly #onChange: (name: string, value: string | undefined) => void;

	/**
	 * @param cookies from an earlier run, oldest first
	 * @param onChange called for each cookie that is set, or (undefined) deleted
	 */
	constructor(
		cookies: Iterable<readonly [name: string, value: string]>,
		onChange: (name: string, value: string | undefined) => void
	) {
		this.#cookies = new Map(cookies);
		this.#onChange = onChange;
	}

	/** The `Cookie` header of a request, as a flat list (name, value). Empty if there are no cookies. */
	get header(): string[] {
		if (this.#cookies.size === 0) return [];
		return ['Cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')];
	}

	/**
	 * Stores the cookies of a response.
	 * @param headers of the response, flat list (name, value, …)
	 */
	store(headers: readonly string[]): void {
		for (const line of headerValues(headers, 'set-cookie')) {
			const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
			if (name === undefined || value === undefined) continue;
			this.#set(name, /;\s*max-age=0/i.test(line) ? undefined : value);
		}
		for (const [name] of this.#cookies) {
			if (this.#cookies.size <= maxCookies) return;
			this.#set(name, undefined);
		}
	}

	#set(name: string, value: string | undefined): void {
		if (value === undefined) this.#cookies.delete(name);
		else this.#cookies.set(name, value);
		this.#onChange(name, value);
	}
}
