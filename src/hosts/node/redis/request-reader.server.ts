import type { RecordKey, SandboxStore, StoreOptions } from '#store/store.ts';
import type { CacheLimit } from './cache-limit.ts';
import type { RedisKeys } from './redis-keys.ts';
import beginRequestLua from './lua/begin-request.lua?raw';
import { script, type Argument, type RedisLink } from './redis-link.server.ts';
import { RequestRecords, type SandboxRecords } from './request-records.ts';
import { nameOf, StableRecords } from './stable-records.ts';
import { readAll, readParts, readStored, trusted, type RequiredFields } from './stored-record.ts';

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
