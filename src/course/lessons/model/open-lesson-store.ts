import { openLessonStorage } from '../../frame/storage.ts';
import { LessonStore } from './lesson-store.svelte.ts';

const opened = new Map<string, Promise<LessonStore>>();

/**
 * The progress and the runs of this browser, loaded. All pages of a tab share one.
 * @param path that the app is served from, without a trailing slash
 */
export function openLessonStore(path: string): Promise<LessonStore> {
	const known = opened.get(path) ?? open(path);
	opened.set(path, known);
	return known;
}

async function open(path: string): Promise<LessonStore> {
	const { storage, isPersistent } = await openLessonStorage(path);
	const store = new LessonStore(storage, isPersistent);
	await store.load();
	store.follow();
	return store;
}
