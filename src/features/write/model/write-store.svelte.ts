import { openLessonStorage, type LessonStorage } from '../../lessons/model/lesson-storage.ts';
import { parseWriteProgress, type ExerciseProgress, type WriteProgress } from './write-progress.ts';

const key = 'write';

/** The progress and the programs of this browser. They are stored beside those of the lessons. */
export class WriteStore {
	/** Reactive. */
	progress: WriteProgress = $state.raw({});
	readonly #storage: LessonStorage;

	constructor(storage: LessonStorage) {
		this.#storage = storage;
	}

	/** Follows the changes of all tabs. Returns a function that ends it. */
	follow(): () => void {
		return this.#storage.subscribe(() => void this.load());
	}

	async load(): Promise<void> {
		this.progress = parseWriteProgress(await this.#storage.get(key));
	}

	/** Changes what is recorded about an exercise, in one atomic step. `undefined` removes a field. */
	async change(id: string, part: { readonly [Name in keyof ExerciseProgress]?: ExerciseProgress[Name] | undefined }) {
		await this.#storage.update(key, (found) => {
			const progress = parseWriteProgress(found);
			const changed = Object.entries({ ...progress[id], ...part }).filter(([, value]) => value !== undefined);
			return { ...progress, [id]: Object.fromEntries(changed) };
		});
		await this.load();
	}
}

const opened = new Map<string, Promise<WriteStore>>();

/**
 * The progress of this browser, loaded. All pages of a tab share one.
 * @param path that the app is served from, without a trailing slash
 */
export function openWriteStore(path: string): Promise<WriteStore> {
	const known = opened.get(path) ?? open(path);
	opened.set(path, known);
	return known;
}

async function open(path: string): Promise<WriteStore> {
	const { storage } = await openLessonStorage(path);
	const store = new WriteStore(storage);
	await store.load();
	store.follow();
	return store;
}
