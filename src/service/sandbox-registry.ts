import { ByteBudget } from '#store/byte-budget.ts';
import type { RecordKey, SandboxStore } from '#store/store.ts';
import { AddressQuota } from './core/address-limits.ts';
import { base64url } from './core/encoding.ts';
import { bytesPerSeat, quotasOf, reservedBytes, streamsPerSeat } from './core/quotas.ts';
import type { SeatId } from './sandbox/class-records.ts';
import type { Records, SandboxEntry } from './sandbox/records.ts';
import { rootSandbox } from './core/target.ts';
import { SandboxEntries, type Creator } from './sandbox/sandbox-entries.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { Seed } from './world/seed.ts';
import type { ServiceOptions } from './core/options.ts';
import { trafficLimits } from './traffic/traffic-log.ts';

/** A sandbox as its operator sees it. Times in milliseconds, real clock. */
export type SandboxListing = {
	readonly id: string;
	readonly name?: string;
	readonly base_url: string;
	readonly created_at: number;
	/** The last use, to the minute; null where there was none. */
	readonly last_used_at: number | null;
	readonly records: number;
	readonly traffic_entries: number;
};

/** A sandbox, and its records for one request. */
export type OpenSandbox = { readonly sandbox: Sandbox; readonly store: SandboxStore<Records> };

type ExpectedRecords = (sandbox: Sandbox) => readonly RecordKey<Records>[];

/** The sandboxes of one service. */
export class SandboxRegistry {
	readonly #options: ServiceOptions;
	readonly #seed: Seed;
	#demoSeed: Seed | undefined;
	readonly #root: Sandbox;
	readonly #entries: SandboxEntries;
	readonly #open = new Map<string, Sandbox>();
	readonly #streamQuota: AddressQuota;
	readonly #budget: ByteBudget;

	constructor(options: ServiceOptions) {
		const { rootStreams, streams, streamsPerAddress, rootBytes, bytes } = quotasOf(options);
		this.#options = options;
		this.#seed = new Seed(options);
		this.#root = new Sandbox(
			rootSandbox,
			options,
			this.#seed,
			'',
			undefined,
			new ByteBudget(rootBytes),
			new AddressQuota(rootStreams)
		);
		this.#entries = new SandboxEntries(this.#root.store, options, this.#seed.world.sandboxes, (id) => this.#drop(id));
		this.#streamQuota = new AddressQuota(streams, streamsPerAddress);
		this.#budget = new ByteBudget(bytes);
	}

	/** The root sandbox, as it was last loaded. */
	get root(): Sandbox {
		return this.#root;
	}

	/**
	 * Finds a sandbox and loads its settings. Undefined if it does not exist.
	 * @param id undefined for the root
	 */
	async find(id: string | undefined): Promise<Sandbox | undefined> {
		return (await this.open(id, () => []))?.sandbox;
	}

	/**
	 * Finds a sandbox for one request, and loads its settings. Undefined if it does not exist.
	 * @param id undefined for the root
	 * @param expected lists the records that the request will probably read, by the settings known so far
	 */
	async open(id: string | undefined, expected: ExpectedRecords): Promise<OpenSandbox | undefined> {
		if (id === undefined) return load(this.#root, await begin(this.#root, expected));
		const known = this.#open.get(id);
		const [entry, store] = await Promise.all([this.#entries.get(id), known && begin(known, expected)]);
		if (entry === undefined) return undefined;
		await this.#entries.markUsed(id, entry);
		const sandbox = this.#sandbox(id, entry);
		return load(sandbox, store ?? (await begin(sandbox, expected)));
	}

	/**
	 * Creates a sandbox with the seed data. Its id has 120 random bits. A client that knows the id may use the sandbox.
	 * @param key digest of the key that controls it
	 * @throws ProtocolError `limit_reached`
	 */
	async create(key: string, creator: Creator): Promise<Sandbox> {
		const id = base64url(this.#options.random(15));
		const entry = await this.#entries.insert(id, creator);
		const sandbox = this.#sandbox(id, entry);
		await sandbox.fill(key);
		return sandbox;
	}

	/**
	 * Creates the sandbox of a seat. It lives until the class ends.
	 * @param key digest of the key that controls it
	 * @param expires milliseconds, real clock
	 */
	async createSeat(key: string, seat: SeatId, expires: number): Promise<Sandbox> {
		const id = base64url(this.#options.random(15));
		const sandbox = this.#sandbox(id, await this.#entries.insertSeat(id, seat, expires));
		await sandbox.fill(key);
		return sandbox;
	}

	/** Deletes the sandboxes of a seat, also of one whose joining failed. */
	async removeSeat({ code, number }: Pick<SeatId, 'code' | 'number'>): Promise<void> {
		for (const [id, { seat }] of await this.#entries.list())
			if (seat?.code === code && seat.number === number) await this.remove(id);
	}

	/** Changes how long the sandbox of a seat lives. */
	async extend(id: string, expires: number): Promise<void> {
		await this.#entries.extend(id, expires);
	}

	/** As `SandboxEntries.keepUntil`. */
	keepUntil(id: string, until: number): Promise<number> {
		return this.#entries.keepUntil(id, until);
	}

	/** All sandboxes but the root, oldest first. */
	async list(): Promise<SandboxListing[]> {
		return Promise.all(
			(await this.#entries.list()).map(async ([id, entry]) => {
				const { createdAt, lastUsedAt } = entry;
				const { base_url, store } = this.#sandbox(id, entry);
				const { name, trafficEntries } = (await store.get('state', 'state')) ?? {};
				return {
					id,
					...(name === undefined ? {} : { name }),
					base_url,
					created_at: createdAt,
					last_used_at: lastUsedAt ?? null,
					records: await store.count(),
					traffic_entries: trafficLimits(id, trafficEntries).entries
				};
			})
		);
	}

	/**
	 * Deletes a sandbox with all its records.
	 * @returns false if it does not exist
	 */
	async remove(id: string): Promise<boolean> {
		const entry = await this.#entries.delete(id);
		if (entry !== undefined) await this.#drop(id);
		return entry !== undefined;
	}

	/** Deletes expired records, and sandboxes whose entry has expired, also those that were not used since the service started. */
	async purge(): Promise<void> {
		await this.#root.store.purge();
		for (const id of new Set([...this.#open.keys(), ...(await this.#options.store.sandboxes())])) {
			if (id === rootSandbox) continue;
			if ((await this.#entries.get(id)) === undefined) await this.#drop(id);
			else await this.#open.get(id)?.store.purge();
		}
	}

	async #drop(id: string): Promise<void> {
		this.#open.get(id)?.traffic.announce('deleted');
		this.#open.delete(id);
		await this.#options.store.drop(id);
		const { store } = this.#root;
		for (const [share, { sandbox }] of await store.list('share_place'))
			if (sandbox === id) await store.delete('share_place', share);
	}

	/** The demo world, with the brand of the server. */
	get #demo(): Seed {
		const { digest, scrypt } = this.#options;
		return (this.#demoSeed ??= new Seed({ digest, scrypt }, this.#seed.world.brand));
	}

	#sandbox(id: string, { createdBy, world, seat }: SandboxEntry): Sandbox {
		const known = this.#open.get(id);
		if (known !== undefined) return known;
		const { streamsPerSandbox, bytesPerSandbox, bytesPerAddress } = quotasOf(this.#options);
		const sibling = [...this.#open.values()].find((sandbox) => sandbox.createdBy === createdBy);
		const shared = sibling?.budget.parent ?? this.#sharedBudget(seat, bytesPerAddress);
		const streams =
			seat === undefined
				? [new AddressQuota(streamsPerSandbox), this.#streamQuota]
				: [new AddressQuota(streamsPerSeat)];
		const seed = world === 'demo' && this.#options.world !== undefined ? this.#demo : this.#seed;
		const budget = new ByteBudget(bytesPerSandbox + seed.bytes, shared, reservedBytes + seed.bytes);
		const sandbox = new Sandbox(id, this.#options, seed, createdBy, seat, budget, ...streams);
		this.#open.set(id, sandbox);
		return sandbox;
	}

	/** The memory of a class is apart from that of addresses. */
	#sharedBudget(seat: SeatId | undefined, bytesPerAddress: number): ByteBudget {
		return seat === undefined
			? new ByteBudget(bytesPerAddress, this.#budget)
			: new ByteBudget(seat.seats * bytesPerSeat);
	}
}

function begin(sandbox: Sandbox, expected: ExpectedRecords): SandboxStore<Records> | Promise<SandboxStore<Records>> {
	return sandbox.store.begin(() => [['state', 'state'], ...expected(sandbox)]);
}

async function load(sandbox: Sandbox, store: SandboxStore<Records>): Promise<OpenSandbox> {
	await sandbox.load(await store.get('state', 'state'));
	return { sandbox, store };
}
