import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { rootSandbox } from '#service/core/target.ts';
import type { TrafficLimits } from '#service/traffic/traffic-limits.ts';
import { createTrafficLog, type TrafficLog } from '#service/traffic/traffic-log.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { Store } from '#store/store.ts';
import { CookieJar } from './cookie-jar.ts';
import { EntryDatabase, type DatabaseEvents } from './database.ts';
import type { StorageStatus } from './worker-messages.ts';
import { emptyLog, readSavedData, type Stored } from './saved-data.ts';

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
