import { recordLimits } from '#service/record-limits.ts';
import type { Records } from '#service/records.ts';
import type { SandboxEvent, SandboxBus } from '#service/service.ts';
import type { TrafficLog } from '#service/traffic/traffic-log.ts';
import { createIndexedDbStore } from '#store/indexed-db.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { Store } from '#store/store.ts';
import { CookieJar } from './cookies.ts';
import { Database, emptyDatabases } from './database.ts';
import type { StatusBoard } from './status.ts';
import { KeptTraffic } from './traffic.ts';

/** How long the database may take to open before the service starts without it, in milliseconds. */
const longestOpening = 5000;

/** What the application's pages call what they keep, in databases and in the storage of a tab: whose it is, and the path of the application. */
const ofPages = /^tollgate-[a-z]+(.*)$/;

type SandboxMessage = { readonly sandbox: string; readonly news: SandboxEvent };

/** What the service keeps, and where. */
export type Storage = {
	readonly store: Store<Records>;
	readonly cookies: CookieJar;
	/** A sandbox's log; undefined where the service's own, in memory, has to do. */
	readonly traffic: ((sandbox: string) => TrafficLog) | undefined;
	/** The services of the other tabs; undefined where each has its records for itself. */
	readonly sandboxBus: SandboxBus | undefined;
	/** Resolves when the logs are as in all other tabs. */
	settled(): Promise<void>;
	/** Deletes everything, also what the application's pages have kept; the other tabs load anew, and so must this one. */
	erase(): Promise<void>;
};

/**
 * Opens this browser's database, or does without it, and says so.
 * @param base path of the application: each has a database of its own
 */
export async function openStorage(base: string, status: StatusBoard): Promise<Storage> {
	const database = new Database(nameOf(base));
	database.onOutdated(() => status.set({ outdated: true }));
	try {
		await within(longestOpening, database.ready());
		status.set({ storage: 'kept' });
		return inDatabase(database, base);
	} catch (fault) {
		status.set({ storage: 'memory' }, reasonOf(fault));
		return inMemory();
	}
}

function inDatabase(database: Database, base: string): Storage {
	const name = nameOf(base);
	const traffic = new KeptTraffic(database.room('traffic'), new BroadcastChannel(`${name} traffic`));
	const sandboxes = new BroadcastChannel(`${name} sandboxes`);
	const erasure = new BroadcastChannel(`${name} erased`);
	erasure.addEventListener('message', () => {
		emptyTab(base);
		location.reload();
	});
	const records = createIndexedDbStore<Records>(recordLimits, database.transact);
	return {
		store: {
			forSandbox: (sandbox, clocks) => records.forSandbox(sandbox, clocks),
			sandboxes: () => records.sandboxes(),
			settled: () => records.settled(),
			async drop(sandbox) {
				await records.drop(sandbox);
				await traffic.drop(sandbox);
			}
		},
		cookies: new CookieJar(database.room('cookies'), () => Date.now()),
		traffic: (sandbox) => traffic.of(sandbox),
		sandboxBus: {
			publish: (sandbox, news) =>
				void traffic.settled().then(() => sandboxes.postMessage({ sandbox, news } satisfies SandboxMessage)),
			subscribe: (heard) =>
				sandboxes.addEventListener('message', ({ data }: MessageEvent<SandboxMessage>) =>
					heard(data.sandbox, data.news)
				)
		},
		settled: () => traffic.settled(),
		async erase() {
			await database.erase();
			await emptyDatabases((name) => isOfPages(name, base));
			emptyTab(base);
			erasure.postMessage('erased');
		}
	};
}

/** Empties what the pages keep in the storage of this tab. They write there as they go, so it is done after them. */
function emptyTab(base: string): void {
	const empty = () => {
		for (const key of Object.keys(sessionStorage)) if (isOfPages(key, base)) sessionStorage.removeItem(key);
	};
	addEventListener('pagehide', empty);
	document.addEventListener('visibilitychange', empty);
}

function isOfPages(name: string, base: string): boolean {
	return ofPages.exec(name)?.[1] === base;
}

/** Of the service's database and of its channels: two deployments on one origin share nothing. */
function nameOf(base: string): string {
	return `tollgate${base}`;
}

function inMemory(): Storage {
	return {
		store: createMemoryStore(recordLimits),
		cookies: new CookieJar(undefined, () => Date.now()),
		traffic: undefined,
		sandboxBus: undefined,
		settled: () => Promise.resolve(),
		erase: () => Promise.resolve()
	};
}

function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Error('the browser took too long to open its database')), milliseconds);
		promise.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}

function reasonOf(fault: unknown): string {
	if (fault instanceof DOMException && fault.name === 'VersionError') {
		return 'A newer version of Tollgate has been here, and this one can’t read its records. Reload the page.';
	}
	const words = fault instanceof Error ? fault.message : 'no reason given';
	return `This browser gives no storage (${words}).`;
}
