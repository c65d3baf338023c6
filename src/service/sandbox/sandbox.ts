import type { ByteBudget } from '#store/byte-budget.ts';
import type { Clocks, Expiring, ListRecords, RecordSet, SandboxStore } from '#store/store.ts';
import { recordLimits } from './record-limits.ts';
import type { SeatId } from './class-records.ts';
import type { OwnWorld, Records, SandboxState } from './records.ts';
import { rootSandbox } from '../core/target.ts';
import type { ServiceOptions } from '../core/options.ts';
import { SseStreams } from '../traffic/sse-streams.ts';
import { AddressQuota } from '../core/address-limits.ts';
import { createTrafficLog, trafficLimits, type TrafficLimits, type TrafficLog } from '../traffic/traffic-log.ts';
import { base64url, basicCredentials, decodeUtf8 } from '../core/encoding.ts';
import type { Seed } from '../world/seed.ts';
import { headerValue } from '#api/headers.ts';
import { FormFields } from '../core/form-fields.ts';

/** One isolated service: its records, its clock, its log. */
export class Sandbox {
	readonly store: SandboxStore<Records>;
	readonly base_url: string;
	readonly traffic: TrafficLog;
	readonly streams: SseStreams;
	/** Part of the digests of short values in the log. */
	readonly valueKey: string;
	/** Its responses that are delayed now. Each occupies a connection, which all sandboxes share (RM-05). */
	readonly delays = new AddressQuota(200, 100);
	readonly #options: ServiceOptions;
	/** That of the server. */
	readonly #givenSeed: Seed;
	#seed: Seed;
	/** The digest of the own world that `#seed` is of. */
	#seedWorld: string | undefined;
	#state: SandboxState;
	/** Whether it is known to have all kinds of records that this version expects. */
	#isComplete = false;
	/** What the machine's clock showed last, and by how much it was set back so far. In milliseconds. */
	#latestReal = -Infinity;
	#setBack = 0;

	/**
	 * @param seed what it begins with, unless it has its own world
	 * @param createdBy the address that asked for it
	 * @param seat that it is the sandbox of, if it belongs to a class
	 * @param budget that its records count against
	 * @param streamQuotas that its event streams count against, first its own
	 */
	constructor(
		readonly id: string,
		options: ServiceOptions,
		seed: Seed,
		readonly createdBy: string,
		readonly seat: SeatId | undefined,
		readonly budget: ByteBudget,
		...streamQuotas: readonly AddressQuota[]
	) {
		this.#options = options;
		this.#givenSeed = this.#seed = seed;
		const { secret } = options;
		this.valueKey = secret === undefined ? base64url(options.random(16)) : options.digest(`${secret}\n${id}`);
		this.#state = this.#initialState();
		this.base_url = id === rootSandbox ? options.origin : `${options.origin}/~${id}`;
		this.store = options.store.forSandbox(id, this.#clocks(), budget);
		const limits = () => this.trafficLimits;
		this.traffic = options.traffic?.(id, limits) ?? createTrafficLog(limits);
		this.streams = new SseStreams(...streamQuotas);
	}

	/** What it begins with, as of the last `load`. */
	get seed(): Seed {
		return this.#seed;
	}

	/** How the sandbox is set, as of the last `load`. */
	get state(): SandboxState {
		return this.#state;
	}

	/** How much the traffic log keeps. */
	get trafficLimits(): TrafficLimits {
		return trafficLimits(this.id, this.#state.trafficEntries);
	}

	/** The sandbox clock, in milliseconds. It continues where it was if the machine's clock is set back, so that nothing expired is valid again. */
	now(): number {
		const real = this.#options.now();
		this.#setBack += Math.max(0, this.#latestReal - real);
		this.#latestReal = real;
		return real + this.#setBack + this.#state.offset;
	}

	/** Whole seconds of the sandbox clock. */
	seconds(): number {
		return Math.floor(this.now() / 1000);
	}

	/**
	 * Applies the stored state. A new sandbox gets the seed data.
	 * @param known the stored state, if the caller has read it
	 */
	async load(known?: SandboxState): Promise<this> {
		const stored = known ?? (await this.store.get('state', 'state'));
		if (stored === undefined) {
			this.#state = this.#initialState();
			await this.fill(undefined);
		} else {
			this.#state = stored;
			if (stored.world !== this.#seedWorld) await this.#loadWorld();
			if (!this.#isComplete) await this.#complete();
		}
		this.#isComplete = true;
		return this;
	}

	/** Changes how the sandbox is set. */
	async updateState(change: (state: SandboxState) => SandboxState): Promise<SandboxState> {
		const next = await this.store.update('state', 'state', (stored) => change(stored ?? this.#state));
		if (next !== undefined) this.#state = next;
		return this.#state;
	}

	/**
	 * Adds the records of the world (the same in every new sandbox).
	 * @param key digest of the key that controls the sandbox; undefined for the root
	 */
	async fill(key: string | undefined): Promise<void> {
		const { base_url, store } = this;
		const records = await this.seed.records();
		const { application, account, permission, character, record_list } = records({
			base_url,
			registered: this.seconds()
		});
		await Promise.all([
			...application.map(([id, record]) => store.update('application', id, (known) => known ?? record)),
			...account.map(([id, record]) => store.update('account', id, (known) => known ?? record)),
			...permission.map(([id, record]) => store.update('permission', id, (known) => known ?? record)),
			...character.map(([id, record]) => store.update('character', id, (known) => known ?? record)),
			...record_list.map(([id, record]) => store.update('record_list', id, (known) => known ?? record))
		]);
		await this.updateState((state) => ({ ...state, key }));
	}

	/** Sets the clock to the real time. Expired records stay expired, and the others keep the time they have left. */
	async returnToRealTime(): Promise<void> {
		const [before, setBack] = [this.#state, this.#setBack];
		try {
			await this.store.replace((list) => {
				const real = this.#options.now();
				const records = recordsAtRealTime(list, real, this.now() - real);
				this.#state = { ...(list('state')[0]?.[1] ?? before), offset: 0 };
				this.#setBack = 0;
				return { ...records, state: [['state', this.#state]] };
			});
		} catch (fault) {
			[this.#state, this.#setBack] = [before, setBack];
			throw fault;
		}
	}

	/**
	 * Deletes everything but the name, the keys, the size of the log and the world. The clock returns to the real time.
	 * @param keeps whether the registered applications and the traffic log stay
	 */
	async reset(keeps: { readonly applications?: boolean; readonly traffic?: boolean } = {}): Promise<void> {
		const kept = keeps.applications === true ? { application: await this.store.list('application') } : {};
		await this.#begin(this.#seed, this.#state.world, kept, keeps.traffic);
	}

	/**
	 * Resets the sandbox to a world.
	 * @param own a valid world file as JSON; undefined for the world of the server
	 * @throws StoreFull where the world is more than a sandbox holds; nothing has changed then
	 */
	async useWorld(own: OwnWorld | undefined): Promise<void> {
		if (own === undefined) return this.#begin(this.#givenSeed, undefined, { world: [] });
		const digest = this.#options.digest(own.file);
		await this.#begin(this.#givenSeed.withWorld(own.file), digest, { world: [['world', own]] });
	}

	async #begin(seed: Seed, world: string | undefined, more: RecordSet<Records>, keepsTraffic = false): Promise<void> {
		const records = await seed.records();
		const { base_url } = this;
		await this.#replace(
			({ name, key, ownerKeys, trafficEntries }) => ({
				...this.#initialState(seed),
				...(world === undefined ? {} : { world }),
				...(name === undefined ? {} : { name }),
				...(trafficEntries === undefined ? {} : { trafficEntries }),
				key,
				ownerKeys
			}),
			() => ({ ...empty, ...records({ base_url, registered: this.seconds() }), ...more }),
			0
		);
		[this.#seed, this.#seedWorld] = [seed, world];
		if (!keepsTraffic) await this.traffic.clear();
		this.traffic.announce('reset');
	}

	/**
	 * Replaces settings and records in one step: no request sees a part of it.
	 * @param change of how the sandbox is set
	 * @param contents asked for once the clock is as `change` has set it
	 * @throws StoreFull where they are more than a sandbox holds; nothing has changed then
	 */
	async replace(change: (state: SandboxState) => SandboxState, contents: () => RecordSet<Records>): Promise<void> {
		await this.#replace(change, contents);
		this.traffic.announce('reset');
	}

	async #replace(
		change: (state: SandboxState) => SandboxState,
		contents: () => RecordSet<Records>,
		setBack = this.#setBack
	): Promise<void> {
		const before = [this.#state, this.#setBack] as const;
		this.#state = change(this.#state);
		this.#setBack = setBack;
		try {
			await this.store.replace({ ...contents(), state: [['state', this.#state]] });
		} catch (fault) {
			[this.#state, this.#setBack] = before;
			throw fault;
		}
	}

	/** Reads the world that the sandbox has now. Other hosts of the same store may have changed it. */
	async #loadWorld(): Promise<void> {
		const { world } = this.#state;
		const own = world === undefined ? undefined : await this.store.get('world', 'world');
		this.#seed = own === undefined ? this.#givenSeed : this.#givenSeed.withWorld(own.file);
		this.#seedWorld = world;
	}

	/** Earlier versions stored neither permissions nor characters. */
	async #complete(): Promise<void> {
		const { store } = this;
		// A world may have no permissions, or no characters.
		if ((await store.list('permission')).length > 0 || (await store.list('character')).length > 0) return;
		const { permission, character } = (await this.seed.records())({ base_url: this.base_url, registered: 0 });
		await Promise.all([
			...permission.map(([id, record]) => store.update('permission', id, (known) => known ?? record)),
			...character.map(([id, record]) => store.update('character', id, (known) => known ?? record))
		]);
	}

	#initialState(seed = this.#seed): SandboxState {
		const isShared = this.id === rootSandbox && this.#options.adminKey !== undefined;
		return seed.initialState(this.#options.now(), isShared);
	}

	#clocks(): Clocks {
		return { sandbox: () => this.now(), real: () => this.#options.now() };
	}
}

/** How the sandbox is set, its share links, its world, and the directories of sandboxes, classes and seats. */
const kept: readonly string[] = [
	...['state', 'share', 'share_place', 'world', 'sandbox'],
	...['class', 'seat', 'seat_program', 'class_lessons']
];
/** No records of any other kind. */
const empty: RecordSet<Records> = Object.fromEntries(
	Object.keys(recordLimits).flatMap((kind) => (kept.includes(kind) ? [] : [[kind, []]]))
);

type Kind = keyof Records;

/**
 * The live records of a sandbox whose clock returns to the real time. What expires keeps the time it has left, so that nothing
 * lives longer. What happened, did not happen later than now.
 * @param list the records by the old clock
 * @param real the real clock, in milliseconds
 * @param ahead how far the old clock is ahead of it, in milliseconds
 */
function recordsAtRealTime(list: ListRecords<Records>, real: number, ahead: number): RecordSet<Records> {
	const moved = <R extends Expiring>(record: R): R =>
		record.expires === undefined ? record : { ...record, expires: record.expires - ahead };
	const past = (seconds: number) => Math.min(seconds, Math.floor(real / 1000));
	/** A sign-in keeps its age. */
	const signedIn = <R extends { readonly authTime?: number | undefined }>(record: R): R =>
		record.authTime === undefined ? record : { ...record, authTime: record.authTime - Math.floor(ahead / 1000) };
	const all = <K extends Kind>(kind: K, change: (record: Records[K]) => Records[K]) =>
		list(kind).map(([id, record]): [string, Records[K]] => [id, change(record)]);
	return {
		application: all('application', (application) => ({ ...application, registered: past(application.registered) })),
		grant: all('grant', ({ last_used, ...grant }) => ({
			...grant,
			since: past(grant.since),
			...(last_used !== undefined && { last_used: past(last_used) })
		})),
		token_family: all('token_family', moved),
		code: all('code', (code) => moved({ ...signedIn(code), validUntil: code.validUntil - ahead })),
		browser_session: all('browser_session', signedIn),
		signing_key: all('signing_key', ({ keys }) => ({
			keys: keys.map((key) => ({ ...key, created: past(key.created) }))
		})),
		access_token: all('access_token', moved),
		rate_limit_window: all('rate_limit_window', moved),
		blacklist_entry: all('blacklist_entry', (entry) => ({ ...entry, since: past(entry.since) })),
		ticket: all('ticket', (ticket) => moved({ ...ticket, created_at: past(ticket.created_at) }))
	};
}

/** What of a request may name its application. */
export type ClientSource = {
	readonly sandbox: Sandbox;
	readonly options: Pick<ServiceOptions, 'digest'>;
	readonly route: string;
	/** The raw query, without the `?`. */
	readonly query: string;
	readonly headers: readonly string[];
	/** Undefined where it has not been read. */
	readonly body: Uint8Array | undefined;
};

/**
 * The `client_id` of the application that a request says it comes from, before any check has run: as a parameter, by its pending
 * authorization, or by its access token. Undefined where it names none.
 */
export async function findClientId(source: ClientSource): Promise<string | undefined> {
	const { sandbox, options, route, headers } = source;
	const query = new FormFields(source.query);
	const authorization = headerValue(headers, 'authorization');
	const isForm = ['token', 'introspect', 'device_authorization', 'par'].includes(route);
	if (route === 'revoke' && query.has('client_id')) return query.get('client_id');
	if (isForm || route === 'revoke') {
		const basic = basicCredentials(authorization);
		return typeof basic === 'object' ? basic.client_id : formOf(source).get('client_id');
	}
	if (route === 'auth') {
		const pending = query.get('interaction') ?? formOf(source).get('interaction');
		if (pending === undefined || query.has('client_id')) return query.get('client_id');
		return (await sandbox.store.get('pending_authorization', options.digest(pending)))?.client_id;
	}
	if (!takesAccessToken(route)) return undefined;
	const token = sentAccessToken(source);
	return token === undefined ? undefined : (await sandbox.store.get('access_token', options.digest(token)))?.client_id;
}

/** Whether the requests of a route have an access token. */
export function takesAccessToken(route: string): boolean {
	return (
		route === 'character' || route === 'ratelimits' || route === 'records' || route === 'userinfo' || route === 'mcp'
	);
}

/** The access token of a request to a resource, in the header or in the query. Undefined where it has none. */
export function sentAccessToken({ headers, query }: Pick<ClientSource, 'headers' | 'query'>): string | undefined {
	const authorization = headerValue(headers, 'authorization')?.trim() ?? '';
	return /^\S+ +(\S+)$/.exec(authorization)?.[1] ?? new FormFields(query).get('access_token');
}

/** The fields of a form. */
export function formOf({ body }: Pick<ClientSource, 'body'>): FormFields {
	return new FormFields((body && decodeUtf8(body)) ?? '');
}
