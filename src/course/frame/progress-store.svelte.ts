import * as v from 'valibot';
import { openLessonStorage, type LessonStorage } from './storage.ts';

/** Reads stored progress. What is invalid is left out. */
type Parse<Item> = (found: unknown) => Readonly<Record<string, Item>>;

type Change<Item> = { readonly [Name in keyof Item]?: Item[Name] | undefined };

/** The progress of this browser in exercises or labs, by id. It is stored beside that of the lessons. */
export class ProgressStore<Item extends object> {
	/** Reactive. */
	progress: Readonly<Record<string, Item>> = $state.raw({});
	readonly #storage: LessonStorage;
	readonly #key: string;
	readonly #parse: Parse<Item>;

	/** @param key of the storage */
	constructor(storage: LessonStorage, key: string, parse: Parse<Item>) {
		this.#storage = storage;
		this.#key = key;
		this.#parse = parse;
	}

	async load(): Promise<void> {
		this.progress = this.#parse(await this.#storage.get(this.#key));
	}

	/** Follows the changes of all tabs. Returns a function that ends it. */
	follow(): () => void {
		return this.#storage.subscribe(() => void this.load());
	}

	/** Changes what is recorded about one of them, in one atomic step, or what a function makes of it. `undefined` removes a field. */
	async change(id: string, part: Change<Item> | ((found: Item | undefined) => Change<Item>)): Promise<void> {
		await this.#storage.update(this.#key, (found) => {
			const progress = this.#parse(found);
			const added = typeof part === 'function' ? part(progress[id]) : part;
			const changed = Object.entries({ ...progress[id], ...added }).filter(([, value]) => value !== undefined);
			return { ...progress, [id]: Object.fromEntries(changed) };
		});
		await this.load();
	}

	/** Adds what another browser has recorded. Nothing that is recorded here is lost. What is invalid is left out. */
	async merge(found: unknown): Promise<void> {
		const theirs = Object.entries(this.#parse(found));
		await this.#storage.update(this.#key, (stored) => {
			const mine = this.#parse(stored);
			return { ...mine, ...Object.fromEntries(theirs.map(([id, one]) => [id, { ...one, ...mine[id] }])) };
		});
		await this.load();
	}
}

/**
 * A function that opens the progress of this browser, loaded. All pages of a tab share one store.
 * @param key of the storage
 * @returns a function with the path that the app is served from, without a trailing slash
 */
export function openerOf<Item extends object>(key: string, parse: Parse<Item>) {
	const opened = new Map<string, Promise<ProgressStore<Item>>>();
	const open = async (path: string) => {
		const { storage } = await openLessonStorage(path);
		const store = new ProgressStore(storage, key, parse);
		await store.load();
		store.follow();
		return store;
	};
	return (path: string): Promise<ProgressStore<Item>> => {
		const known = opened.get(path) ?? open(path);
		opened.set(path, known);
		return known;
	};
}

/** Validates stored progress, by id. What is invalid is left out. */
export function parseItems<T>(schema: v.GenericSchema<unknown, T>, found: unknown): Readonly<Record<string, T>> {
	const record = v.safeParse(v.record(v.string(), v.unknown()), found);
	if (!record.success) return {};
	return Object.fromEntries(
		Object.entries(record.output).flatMap(([id, one]) => {
			const parsed = v.safeParse(schema, one);
			return parsed.success ? [[id, parsed.output] as const] : [];
		})
	);
}
