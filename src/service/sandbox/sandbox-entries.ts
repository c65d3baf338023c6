import type { SandboxStore } from '#store/store.ts';
import { StoreFull, StoreUnavailable } from '#store/errors.ts';
import { ProtocolError } from '../core/errors.ts';
import { quotasOf } from '../core/quotas.ts';
import type { SeatId } from './class-records.ts';
import type { Records, SandboxEntry } from './records.ts';
import type { ServiceOptions } from '../core/options.ts';
import type { World } from '../world/world.ts';

const hour = 60 * 60_000;
/** How often the last use of a sandbox is written at most, in milliseconds. */
const useInterval = 60_000;
/** When a sandbox is idle: so long after its last use, or after its creation if it was never used. In milliseconds. */
const idleAfter = { used: 30 * 60_000, unused: 5 * 60_000 } as const;

/** How many sandboxes of one address are kept by their share links although they are idle. */
const linksKeepPerAddress = 3;

type MayEvict = (entry: SandboxEntry, id: string) => boolean;

/** In place of the address, for a caller that controls the root sandbox. */
const operator = '';

/** The caller that creates a sandbox. */
export type Creator = {
	readonly address: string;
	/** True if it controls the root sandbox: it has no limit per address, and a sandbox is evicted even if none is idle. */
	readonly isOperator: boolean;
	/** Whether a share link or a preset with a start creates the sandbox. */
	readonly isOfLink?: boolean;
	/** The world of the sandbox. Default: that of the server. */
	readonly world?: SandboxEntry['world'] | undefined;
};

/** The entries of all sandboxes but the root. They are records of the root sandbox. */
export class SandboxEntries {
	readonly #store: SandboxStore<Records>;
	readonly #options: ServiceOptions;
	readonly #limits: World['sandboxes'];
	readonly #onEvicted: (id: string) => Promise<void>;

	/**
	 * @param limits how many there can be, and how long an unused one lives
	 * @param onEvicted called after the entry of a sandbox was deleted to make room
	 */
	constructor(
		store: SandboxStore<Records>,
		options: ServiceOptions,
		limits: World['sandboxes'],
		onEvicted: (id: string) => Promise<void>
	) {
		this.#store = store;
		this.#options = options;
		this.#limits = limits;
		this.#onEvicted = onEvicted;
	}

	/** How long a sandbox lives after its last use, in milliseconds of the real clock. */
	get #lifetime(): number {
		return this.#limits.idle_hours * hour;
	}

	get(id: string): Promise<SandboxEntry | undefined> {
		return this.#store.get('sandbox', id);
	}

	/** All entries, oldest first. */
	list(): Promise<[id: string, entry: SandboxEntry][]> {
		return this.#store.list('sandbox');
	}

	/** Deletes an entry, and returns it. */
	delete(id: string): Promise<SandboxEntry | undefined> {
		return this.#store.delete('sandbox', id);
	}

	/** Writes that a sandbox was used now. */
	async markUsed(id: string, { lastUsedAt }: SandboxEntry): Promise<void> {
		const now = this.#options.now();
		if (lastUsedAt !== undefined && now - lastUsedAt <= useInterval) return;
		const used = { lastUsedAt: now, expires: now + this.#lifetime };
		try {
			await this.#store.update('sandbox', id, (entry) => {
				// A seat lives as long as its class.
				return (
					entry && { ...entry, ...used, expires: entry.seat ? entry.expires : Math.max(entry.expires, used.expires) }
				);
			});
		} catch (fault) {
			// A request that only reads must not fail because nothing can be written.
			if (!(fault instanceof StoreUnavailable)) throw fault;
		}
	}

	/**
	 * Adds an entry. If the server holds as many sandboxes as it may, or the address has created as many as it may, the sandbox that
	 * was not used for the longest time is evicted: an idle one, else one of an address that has many. The operator evicts others, too,
	 * first those that links created. None that a share link keeps is evicted.
	 * @throws ProtocolError `limit_reached` if there is none
	 */
	async insert(id: string, { address, isOperator, isOfLink = false, world }: Creator): Promise<SandboxEntry> {
		const now = this.#options.now();
		const { sandboxesPerAddress, keptPerAddress } = quotasOf(this.#options);
		const createdBy = isOperator ? operator : address;
		const kept = await this.#keptByLinks();
		const isFree: MayEvict = (entry, id) => entry.seat === undefined && !kept.has(id);
		const mayEvict: MayEvict = (entry, id) => isFree(entry, id) && isIdle(entry, now);
		const isOwn = (entry: SandboxEntry) => entry.createdBy === address;
		const own = isOperator ? [] : (await this.list()).filter(([, entry]) => isOwn(entry));
		if (own.length >= sandboxesPerAddress) {
			if (!(await this.#evictOldest((entry, id) => isOwn(entry) && mayEvict(entry, id))))
				throw limitReached(`Your address has created ${own.length} sandboxes, and none is idle. Delete one.`);
		}
		const entry: SandboxEntry = {
			createdAt: now,
			createdBy,
			expires: now + this.#lifetime,
			...(world === undefined ? {} : { world }),
			...(isOfLink ? { isOfLink } : {})
		};
		// A parallel call may take the freed place. Then this one evicts another sandbox.
		while (!(await this.#tryInsert(id, entry))) {
			if (await this.#evictOldest(mayEvict)) continue;
			if (isOperator && (await this.#evictOldest((entry, id) => isFree(entry, id) && entry.isOfLink === true)))
				continue;
			if (isOperator && (await this.#evictOldest(isFree))) continue;
			const hasMany = own.length < keptPerAddress ? await this.#addressesOver(keptPerAddress) : new Set();
			if (!(await this.#evictOldest((entry, id) => hasMany.has(entry.createdBy) && !kept.has(id)))) throw this.#full();
		}
		return entry;
	}

	/** Adds the entry of a seat. It is not evicted, and does not count against the limits of others. */
	async insertSeat(id: string, seat: SeatId, expires: number): Promise<SandboxEntry> {
		const entry = { createdAt: this.#options.now(), createdBy: `class:${seat.code}`, seat, expires };
		await this.#store.update('sandbox', id, () => entry);
		return entry;
	}

	/** Changes when an entry expires. */
	async extend(id: string, expires: number): Promise<void> {
		await this.#store.update('sandbox', id, (entry) => entry && { ...entry, expires });
	}

	/**
	 * Lets a sandbox live for a share link. A seat lives as long as its class.
	 * @param until in milliseconds of the real clock
	 * @returns until when the link works
	 */
	async keepUntil(id: string, until: number): Promise<number> {
		const kept = await this.#store.update('sandbox', id, (entry) => {
			if (entry === undefined || entry.seat !== undefined) return entry;
			const { expires, keptUntil = 0 } = entry;
			return { ...entry, expires: Math.max(expires, until), keptUntil: Math.max(keptUntil, until) };
		});
		return Math.min(until, kept?.expires ?? until);
	}

	/** The sandboxes that share links keep. Of each address only the oldest few, so that links do not keep all others out. */
	async #keptByLinks(): Promise<Set<string>> {
		const now = this.#options.now();
		const kept = (await this.list()).filter(([, { keptUntil = 0 }]) => keptUntil > now);
		const isAmongFirst = ([id, { createdBy }]: [string, SandboxEntry]) =>
			createdBy === operator ||
			kept
				.filter(([, other]) => other.createdBy === createdBy)
				.slice(0, linksKeepPerAddress)
				.some(([other]) => other === id);
		return new Set(kept.filter(isAmongFirst).map(([id]) => id));
	}

	/** The addresses that have created more than so many sandboxes. */
	async #addressesOver(count: number): Promise<Set<string>> {
		const creators = (await this.list())
			.filter(([, { seat }]) => seat === undefined)
			.map(([, { createdBy }]) => createdBy)
			.filter((creator) => creator !== operator);
		return new Set(creators.filter((creator) => creators.filter((other) => other === creator).length > count));
	}

	/** Writes an entry. Returns false if the server holds as many as it may. */
	async #tryInsert(id: string, entry: SandboxEntry): Promise<boolean> {
		const { most } = this.#limits;
		if (most === 0) return false;
		try {
			await this.#store.update('sandbox', id, () => entry);
		} catch (error) {
			if (error instanceof StoreFull) return false;
			throw error;
		}
		// Parallel calls over the limit all give up their entry.
		if ((await this.list()).filter(([, { seat }]) => seat === undefined).length <= most) return true;
		await this.#store.delete('sandbox', id);
		return false;
	}

	#full(): ProtocolError {
		const { most } = this.#limits;
		return limitReached(
			most === 0
				? 'This server has no sandboxes besides its default one.'
				: `All ${most} sandboxes of this server are in use. Try again in 30 minutes.`
		);
	}

	/**
	 * Evicts the sandbox that was not used for the longest time.
	 * @param mayEvict whether a sandbox qualifies
	 * @returns false if none does
	 */
	async #evictOldest(mayEvict: MayEvict): Promise<boolean> {
		const entries = (await this.list()).filter(([id, entry]) => mayEvict(entry, id));
		for (const [id] of entries.sort(([, one], [, other]) => lastSeen(one) - lastSeen(other))) {
			// It may have been used or deleted in the meantime.
			let evicted: SandboxEntry | undefined;
			await this.#store.update('sandbox', id, (entry) => {
				evicted = entry !== undefined && mayEvict(entry, id) ? entry : undefined;
				return evicted === undefined ? entry : undefined;
			});
			if (evicted === undefined) continue;
			await this.#onEvicted(id);
			return true;
		}
		return false;
	}
}

function limitReached(description: string): ProtocolError {
	return new ProtocolError('limit_reached', description);
}

function lastSeen({ createdAt, lastUsedAt = createdAt }: SandboxEntry): number {
	return lastUsedAt;
}

function isIdle(entry: SandboxEntry, now: number): boolean {
	return now - lastSeen(entry) >= (entry.lastUsedAt === undefined ? idleAfter.unused : idleAfter.used);
}
