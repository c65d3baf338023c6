import { base64url } from './encoding.ts';
import { createDemoPassword, type DemoPassword } from './seed.ts';
import { StoreFull } from '#store/store.ts';
import { rootSandbox, type SandboxEntry } from './records.ts';
import { Sandbox, sandboxLifetime } from './sandbox.ts';
import type { SandboxEvent, ServiceOptions } from './service.ts';
import { StreamQuota } from './traffic/stream-quota.ts';

/** How long a use of a sandbox goes unnoted, in milliseconds: its entry is not written at every call. */
const useInterval = 60_000;
/** How long a sandbox is safe after its last call, and one that nobody ever called after it was made, in milliseconds. */
const idleAfter = { used: 30 * 60_000, unused: 5 * 60_000 } as const;

/** How many event streams all sandboxes but the root have together: whoever controls the root always gets one. */
const maxStreams = 400;

/** A sandbox as its operator sees it. Times in milliseconds, real clock. */
export type SandboxListing = {
	readonly id: string;
	readonly base_url: string;
	readonly created_at: number;
	/** The latest call, to the minute; null where there was none. */
	readonly last_used_at: number | null;
	readonly records: number;
};

/** The sandboxes of one service. */
export class SandboxRegistry {
	readonly #options: ServiceOptions;
	readonly #password: DemoPassword;
	readonly #root: Sandbox;
	readonly #open = new Map<string, Sandbox>();
	readonly #shares = new StreamQuota(maxStreams);

	constructor(options: ServiceOptions) {
		this.#options = options;
		this.#password = createDemoPassword(options);
		this.#root = new Sandbox(rootSandbox, options);
		options.sandboxBus?.subscribe((id, news) => this.#onEvent(id, news));
	}

	/**
	 * A sandbox by its id, with its settings as they are now; undefined for one that never was or is gone.
	 * @param id undefined for the root
	 */
	async find(id: string | undefined): Promise<Sandbox | undefined> {
		if (id === undefined) return this.#root.load(this.#password);
		const now = this.#options.now();
		const open = this.#open.get(id);
		const [entry, state] = await Promise.all([this.#root.store.get('sandbox', id), open?.store.get('state', 'state')]);
		if (entry === undefined) return undefined;
		if (entry.lastUsedAt === undefined || now - entry.lastUsedAt > useInterval) {
			const noted = { lastUsedAt: now, expires: now + sandboxLifetime };
			await this.#root.store.update('sandbox', id, (known) => known && { ...known, ...noted });
		}
		return this.#sandbox(id).load(this.#password, state);
	}

	/** The root sandbox, as it was last loaded. */
	get root(): Sandbox {
		return this.#root;
	}

	/**
	 * Makes a sandbox with the demo world in it. Its id has 120 random bits and is the capability to use it. Where there are
	 * as many as there may be, an idle one gives way.
	 * @param key digest of the key that controls it
	 * @param maker the address that asks for it
	 * @throws StoreFull where all are in use
	 */
	async create(key: string, createdBy: string): Promise<Sandbox> {
		const id = base64url(this.#options.random(15));
		const createdAt = this.#options.now();
		while (!(await this.#insert(id, { createdAt, createdBy, expires: createdAt + sandboxLifetime }))) {
			// The room that this makes may be taken by another creator before this one gets there: it is tried again then.
			if (!(await this.#evictIdle())) throw new StoreFull('All sandboxes are in use.');
		}
		const sandbox = this.#sandbox(id);
		await sandbox.seed(this.#password, key);
		return sandbox;
	}

	/** Puts a sandbox back to its beginning. */
	async reset(sandbox: Sandbox): Promise<void> {
		await sandbox.reset(this.#password);
	}

	/** All sandboxes but the root, oldest first. */
	async list(): Promise<SandboxListing[]> {
		const entries = await this.#root.store.list('sandbox');
		return Promise.all(
			entries.map(async ([id, { createdAt, lastUsedAt }]) => {
				const { base_url, store } = this.#sandbox(id);
				return { id, base_url, created_at: createdAt, last_used_at: lastUsedAt ?? null, records: await store.count() };
			})
		);
	}

	/**
	 * Deletes a sandbox with everything in it.
	 * @returns false where there was none of this id
	 */
	async remove(id: string): Promise<boolean> {
		const entry = await this.#root.store.delete('sandbox', id);
		if (entry !== undefined) await this.#drop(id);
		return entry !== undefined;
	}

	/** Deletes expired records, and sandboxes whose entry has expired, also those that were not used since the service started. */
	async purge(): Promise<void> {
		await this.#root.store.purge();
		for (const id of new Set([...this.#open.keys(), ...(await this.#options.store.sandboxes())])) {
			if (id === rootSandbox) continue;
			if ((await this.#root.store.get('sandbox', id)) === undefined) await this.#drop(id);
			else await this.#open.get(id)?.store.purge();
		}
	}

	/** Writes an entry; false where there are as many as there may be. */
	async #insert(id: string, entry: SandboxEntry): Promise<boolean> {
		try {
			await this.#root.store.update('sandbox', id, () => entry);
			return true;
		} catch (fault) {
			if (fault instanceof StoreFull) return false;
			throw fault;
		}
	}

	/**
	 * Deletes one idle sandbox: of whoever made most, the one that has been idle longest. So a stranger who takes all there
	 * are loses his own first.
	 * @returns false where none is idle
	 */
	async #evictIdle(): Promise<boolean> {
		const now = this.#options.now();
		const entries = await this.#root.store.list('sandbox');
		const holds = new Map<string, number>();
		for (const [, { createdBy }] of entries) holds.set(createdBy, (holds.get(createdBy) ?? 0) + 1);
		const share = ({ createdBy }: SandboxEntry) => holds.get(createdBy) ?? 0;
		const idle = entries
			.filter(([, entry]) => isIdle(entry, now))
			.sort(([, one], [, other]) => share(other) - share(one) || lastSeen(one) - lastSeen(other));
		for (const [id] of idle) {
			// Somebody may have come back meanwhile, or another creator may have taken its place.
			let leaving: SandboxEntry | undefined;
			await this.#root.store.update('sandbox', id, (entry) => {
				leaving = entry !== undefined && isIdle(entry, now) ? entry : undefined;
				return leaving === undefined ? entry : undefined;
			});
			if (leaving === undefined) continue;
			await this.#drop(id);
			return true;
		}
		return false;
	}

	async #drop(id: string): Promise<void> {
		await this.#close(id);
		this.#options.sandboxBus?.publish(id, 'gone');
	}

	async #close(id: string): Promise<void> {
		this.#open.get(id)?.streams.end();
		this.#open.delete(id);
		await this.#options.store.drop(id);
	}

	/** What happened to a sandbox in another service over the same store. */
	#onEvent(id: string, news: SandboxEvent): void {
		// Whoever deleted it has deleted its records, too: this only lets go of it.
		if (news === 'gone') void this.#close(id).catch(() => undefined);
		else (id === rootSandbox ? this.#root : this.#open.get(id))?.streams.broadcast('reset');
	}

	#sandbox(id: string): Sandbox {
		const known = this.#open.get(id);
		if (known !== undefined) return known;
		const sandbox = new Sandbox(id, this.#options, this.#shares);
		this.#open.set(id, sandbox);
		return sandbox;
	}
}

function lastSeen({ createdAt, lastUsedAt = createdAt }: SandboxEntry): number {
	return lastUsedAt;
}

function isIdle(entry: SandboxEntry, now: number): boolean {
	return now - lastSeen(entry) >= (entry.lastUsedAt === undefined ? idleAfter.unused : idleAfter.used);
}
