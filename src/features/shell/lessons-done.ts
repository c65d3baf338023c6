import { storedText, storeText } from '#client/storage/web-storage.ts';

const key = 'tollgate:lessons-done';

/** The lessons that this browser has completed, for pages that do not load lessons: `4/13`. Empty without one. */
export const lessonsDone = (): string => storedText(key);

/** Keeps how many lessons are completed. */
export function keepLessonsDone(done: number, all: number): void {
	storeText(key, done === 0 ? '' : `${done}/${all}`);
}
