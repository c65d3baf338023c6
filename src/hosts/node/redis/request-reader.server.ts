import beginRequestLua from './lua/begin-request.lua?raw';
import type { ListRecords, NumberField, RecordKey, RecordSet, SandboxStore, StoreOptions } from '#store/store.ts';
import type { CacheLimit } from './cache-limit.ts';
import type { RedisKeys } from './redis-keys.ts';
import { type Argument, type RedisLink, script } from './redis-link.server.ts';
import { readAll, readParts, readStored, type RequiredFields, trusted } from './record-scripts.ts';

type Kind<S> = keyof S & string;

/**
 * Reads what a request needs at its beginning: the generation of the stable records, then each record, and those that its fields lead to.
 * A stable record that the process holds is read only if the generation has changed.
 */
const beginRequest = script(beginRequestLua);

/** What a reader needs of its sandbox. */
export type RequestReaderOptions<S> = {
	readonly link: RedisLink;
	readonly cacheLimit: CacheLimit;
	readonly keys: RedisKeys;
	readonly rules: StoreOptions<S>;
	readonly sandbox: string;
};

/** A record that is read at the beginning of a request, and those that its fields lead to. */
type Asked<S> = {
	readonly kind: Kind<S>;
	readonly id: string;
	/** Whether this process has it in memory. */
	readonly isHeld: boolean;
	readonly links: readonly (readonly [kind: string, fields: readonly string[]])[];
};

/** Reads the records of a sandbox for requests, and keeps the stable ones while Redis says that none has changed. */
export class RequestReader<S extends { [K in keyof S]: object }> {
	readonly #options: RequestReaderOptions<S>;
	readonly #recordKeys = new Map<string, string>();
	#stable: StableRecords;
	#connection = 0;

	constructor(options: RequestReaderOptions<S>) {
		this.#options = options;
		this.#stable = new StableRecords(options.cacheLimit);
	}

	/**
	 * Reads what a request needs, in one step.
	 * @param sandbox for all that follows
	 */
	async begin(sandbox: SandboxRecords<S>, expected: readonly RecordKey<S>[]): Promise<SandboxStore<S>> {
		const held = this.#held();
		const keys: string[] = [this.#options.keys.head(this.#options.sandbox)];
		const args: Argument[] = [held.generation];
		const asked = expected.map(([kind, id]) => this.#ask(kind, id, held));
		for (const { kind, id, isHeld, links } of asked) {
			args.push(this.#at(keys, kind), id, isHeld ? 1 : 0, links.length);
			for (const [linked, fields] of links) args.push(this.#at(keys, linked), fields.join(','));
		}
		const [generation = '', ...found] = readParts(await this.#options.link.run(beginRequest, keys, args));
		// A late response is not added if another request has changed or read the records in the meantime.
		const isLate = this.#stable !== held;
		const stable = this.#renew(generation, isLate);
		const read = new Map<string, object | undefined>();
		for (const { kind, id, links } of asked) {
			const text = found.shift() ?? '';
			const { record } = readStored<Readonly<Record<string, unknown>>>(text, this.#options.rules[kind].required);
			if (!this.isStable(kind)) read.set(nameOf(kind, id), record);
			else if (record !== undefined && !isLate) stable.add(nameOf(kind, id), { value: record, size: text.length });
			for (const [linked, fields] of links) {
				const value = readStored<object>(found.shift() ?? '', this.#requiredOf(linked)).record;
				const linkedId = fields.map((field) => record?.[field]).join('\n');
				if (record !== undefined) read.set(nameOf(linked, linkedId), value);
			}
		}
		return new RequestRecords(sandbox, read);
	}

	isStable(kind: Kind<S>): boolean {
		return this.#options.rules[kind].isStable === true;
	}

	/** A stable record as it was at the beginning of the last request, or later. It may have expired. */
	async get<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		const held = this.#held();
		const known = held.get(nameOf(kind, id));
		if (known !== undefined) return trusted<S[K]>(known.value);
		const text = await this.#options.link.send('hget', this.#key(kind), id);
		const { record } = readStored<S[K]>(text, this.#options.rules[kind].required);
		if (record !== undefined) held.add(nameOf(kind, id), { value: record, size: String(text).length });
		return record;
	}

	/** All records of a stable kind, oldest first, also expired ones. */
	async list<K extends Kind<S>>(kind: K): Promise<[id: string, record: S[K]][]> {
		const held = this.#held();
		const known = held.get(kind);
		if (known !== undefined) return trusted<[string, S[K]][]>(known.value);
		const hash = await this.#options.link.send('hgetall', this.#key(kind));
		const value = readAll<S[K]>(hash, this.#options.rules[kind].required);
		held.add(kind, { value, size: JSON.stringify(hash).length });
		return value;
	}

	/** Forgets the stable records, after this process has changed one. */
	forget(): void {
		this.#replace('');
	}

	#held(): StableRecords {
		const { link } = this.#options;
		// Redis may have lost what was read over an earlier connection.
		if (this.#connection !== link.connections) {
			this.#connection = link.connections;
			this.forget();
		}
		return this.#stable;
	}

	#renew(generation: string, isLate: boolean): StableRecords {
		if (generation === '' || generation !== this.#stable.generation) this.#replace(isLate ? '' : generation);
		return this.#stable;
	}

	#replace(generation: string): void {
		this.#stable.release();
		this.#stable = new StableRecords(this.#options.cacheLimit, generation);
	}

	#ask(kind: Kind<S>, id: string, held: StableRecords): Asked<S> {
		const links = Object.entries(this.#options.rules[kind].leadsTo ?? {});
		return { kind, id, isHeld: held.get(nameOf(kind, id)) !== undefined, links };
	}

	/** The place of the records of a kind among the keys of the script, which it is added to. */
	#at(keys: string[], kind: string): number {
		const key = this.#key(kind);
		const at = keys.indexOf(key);
		return at < 0 ? keys.push(key) : at + 1;
	}

	/** The fields that a kind requires, which `leadsTo` names. */
	#requiredOf(name: string): RequiredFields {
		const { rules } = this.#options;
		for (const kind in rules) if (kind === name) return rules[kind].required;
		return undefined;
	}

	#key(kind: string): string {
		const known = this.#recordKeys.get(kind);
		if (known !== undefined) return known;
		const key = this.#options.keys.kind(this.#options.sandbox, kind).records;
		this.#recordKeys.set(kind, key);
		return key;
	}
}

/** What `RequestRecords` needs of its sandbox. */
export interface SandboxRecords<S> extends SandboxStore<S> {
	/** The record, or undefined if it has expired. */
	live<K extends Kind<S>>(kind: K, record: S[K] | undefined): S[K] | undefined;
	isStable(kind: Kind<S>): boolean;
	/** A stable record, not older than the beginning of any request that runs. */
	getStable<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined>;
	listStable<K extends Kind<S>>(kind: K): Promise<[id: string, record: S[K]][]>;
}

/** The records of a sandbox, for one request. */
class RequestRecords<S extends { [K in keyof S]: object }> implements SandboxStore<S> {
	readonly #sandbox: SandboxRecords<S>;
	/** What was read at the beginning. Each is for one use: who reads a record twice wants to know whether it has changed. */
	readonly #read: Map<string, object | undefined>;

	constructor(sandbox: SandboxRecords<S>, read: Map<string, object | undefined>) {
		this.#sandbox = sandbox;
		this.#read = read;
	}

	begin(expected: () => readonly RecordKey<S>[]): SandboxStore<S> | Promise<SandboxStore<S>> {
		return this.#sandbox.begin(expected);
	}

	async get<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		const name = nameOf(kind, id);
		const record = this.#read.get(name);
		if (this.#read.delete(name)) return this.#sandbox.live(kind, trusted<S[K] | undefined>(record));
		return this.#sandbox.isStable(kind) ? this.#sandbox.getStable(kind, id) : this.#sandbox.get(kind, id);
	}

	update<K extends Kind<S>>(kind: K, id: string, change: (now: S[K] | undefined) => S[K] | undefined) {
		this.#read.delete(nameOf(kind, id));
		return this.#sandbox.update(kind, id, change);
	}

	delete<K extends Kind<S>>(kind: K, id: string): Promise<S[K] | undefined> {
		this.#read.delete(nameOf(kind, id));
		return this.#sandbox.delete(kind, id);
	}

	list<K extends Kind<S>>(kind: K): Promise<[id: string, record: S[K]][]> {
		return this.#sandbox.isStable(kind) ? this.#sandbox.listStable(kind) : this.#sandbox.list(kind);
	}

	lowest<K extends Kind<S>>(kind: K, field: NumberField<S[K]>, above: number, most: number) {
		return this.#sandbox.lowest(kind, field, above, most);
	}

	count(): Promise<number> {
		return this.#sandbox.count();
	}

	replace(contents: RecordSet<S> | ((list: ListRecords<S>) => RecordSet<S>)): Promise<void> {
		this.#read.clear();
		return this.#sandbox.replace(contents);
	}

	purge(): Promise<number> {
		return this.#sandbox.purge();
	}
}

/** What was read, and how long it is as text. */
type Found = { readonly value: unknown; readonly size: number };

/**
 * The stable records of a sandbox that this process has read. They are as Redis has them while its generation is the same. When it changes,
 * another object takes the place of this one.
 */
class StableRecords {
	readonly #limit: CacheLimit;
	readonly #found = new Map<string, Found>();
	#isReleased = false;

	/** @param generation that Redis has; empty if it is unknown */
	constructor(
		limit: CacheLimit,
		readonly generation = ''
	) {
		this.#limit = limit;
	}

	/** @param name of a record or a list */
	get(name: string): Found | undefined {
		return this.#found.get(name);
	}

	/** Does nothing once another object is in use: what was requested earlier may arrive late. */
	add(name: string, found: Found): void {
		if (this.#isReleased || this.#found.has(name)) return;
		this.#found.set(name, found);
		this.#limit.hold(found, found.size, () => this.#found.delete(name));
	}

	/** Forgets all. */
	release(): void {
		this.#isReleased = true;
		for (const found of this.#found.values()) this.#limit.release(found);
		this.#found.clear();
	}
}

/** The name of a record among all of its sandbox. */
function nameOf(kind: string, id: string): string {
	return `${kind} ${id}`;
}
