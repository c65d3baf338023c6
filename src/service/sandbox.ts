import type { Area, Clocks, Contents } from '#store/store.ts';
import { rootSandbox, type Account, type Application, type Records, type World } from './records.ts';
import type { ServiceOptions } from './service.ts';
import { EventStreams } from './traffic/sse-streams.ts';
import type { StreamShares } from './traffic/stream-quota.ts';
import { createTrafficLog, type TrafficLog } from './traffic/traffic-log.ts';
import { demoAccounts, demoApplications, freshWorld, type DemoPassword } from './seed.ts';

/** How long a sandbox lives that nobody calls, in milliseconds of the real clock. */
export const sandboxLifetime = 24 * 60 * 60 * 1000;

/** One isolated service: its records, its clock, its log. */
export class Sandbox {
	readonly area: Area<Records>;
	readonly base_url: string;
	readonly traffic: TrafficLog;
	readonly streams: EventStreams;
	/** How many of its answers are being delayed on purpose. */
	delayed = 0;
	readonly #options: ServiceOptions;
	#world: World;

	/** @param shares of the event streams that all sandboxes but the root have together; as many as it likes where absent */
	constructor(
		readonly id: string,
		options: ServiceOptions,
		shares?: StreamShares
	) {
		this.#options = options;
		this.#world = freshWorld(options.now());
		this.base_url = id === rootSandbox ? options.origin : `${options.origin}/~${id}`;
		this.area = options.store.area(id, this.#clocks());
		this.traffic =
			options.traffic?.(id) ?? (id === rootSandbox ? createTrafficLog() : createTrafficLog(200, 128 * 1024));
		this.streams = id === rootSandbox ? new EventStreams(100) : new EventStreams(10, shares);
	}

	/** How the sandbox is set, as of the last `load`. */
	get world(): World {
		return this.#world;
	}

	/** The sandbox clock, in milliseconds. */
	now(): number {
		return this.#options.now() + this.#world.offset;
	}

	/** Whole seconds of the sandbox clock. */
	seconds(): number {
		return Math.floor(this.now() / 1000);
	}

	/** Reads how the sandbox is set, and fills a fresh one with the demo world. */
	async load(password: DemoPassword): Promise<this> {
		const world = await this.area.get('world', 'world');
		if (world !== undefined) this.#world = world;
		else {
			this.#world = freshWorld(this.#options.now()); // also where a store has lost all that was known
			await this.fill(password, undefined);
		}
		return this;
	}

	/** Changes how the sandbox is set. */
	async set(change: (world: World) => World): Promise<World> {
		const next = await this.area.update('world', 'world', (world) => change(world ?? this.#world));
		if (next !== undefined) this.#world = next;
		return this.#world;
	}

	/**
	 * Puts the demo world in (design: the same in every fresh sandbox).
	 * @param key digest of the key that controls the sandbox; undefined for the root
	 */
	async fill(password: DemoPassword, key: string | undefined): Promise<void> {
		for (const application of demoApplications(this.base_url, this.seconds(), this.#options)) {
			await this.area.update('application', application.client_id, (known): Application => known ?? application);
		}
		for (const account of demoAccounts(await password())) {
			await this.area.update('account', account.username, (known): Account => known ?? account);
		}
		await this.set((world) => ({ ...world, key }));
	}

	/** Forgets everything but the key, the clock starting at the real time again. */
	async reset(password: DemoPassword): Promise<void> {
		const stored = await password();
		await this.#replace(
			({ key }) => ({ ...freshWorld(this.#options.now()), key }),
			() => ({
				...empty,
				application: demoApplications(this.base_url, this.seconds(), this.#options).map((one) => [one.client_id, one]),
				account: demoAccounts(stored).map((one) => [one.username, one])
			})
		);
		this.traffic.clear();
		this.#tellReset();
	}

	/**
	 * Puts other settings and records in place of those that it has, in one step: no call sees a part of it.
	 * @param change of how the sandbox is set
	 * @param contents asked for once the clock is as `change` has set it
	 * @throws StoreFull where they are more than a sandbox holds; nothing has changed then
	 */
	async replace(change: (world: World) => World, contents: () => Contents<Records>): Promise<void> {
		await this.#replace(change, contents);
		this.#tellReset();
	}

	async #replace(change: (world: World) => World, contents: () => Contents<Records>): Promise<void> {
		const before = this.#world;
		this.#world = change(before);
		try {
			await this.area.replace({ ...contents(), world: [['world', this.#world]] });
		} catch (fault) {
			this.#world = before;
			throw fault;
		}
	}

	#tellReset(): void {
		this.streams.tell('reset');
		this.#options.siblings?.tell(this.id, 'reset');
	}

	#clocks(): Clocks {
		return { sandbox: () => this.now(), real: () => this.#options.now() };
	}
}

/** Nothing of all that people and applications leave in a sandbox. */
const empty: Contents<Records> = {
	application: [],
	account: [],
	grant: [],
	family: [],
	code: [],
	access: [],
	refresh: [],
	pending: [],
	session: [],
	window: [],
	ban: [],
	ticket: [],
	guesses: []
};
