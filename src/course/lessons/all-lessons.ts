import { ownLessonPrefix } from '#api/control/own-lessons.ts';
import type { LessonContent } from '#evidence/lesson-file/product-lesson.ts';
import { listed } from '../frame/listed.ts';
import type { Lesson, LessonSummary, ListedLesson } from './lesson.ts';
import type { Script } from './scripted-client.ts';

const summaries = import.meta.glob<LessonSummary>('../../content/lessons/*.yaml', {
	eager: true,
	import: 'default',
	query: '?about'
});
const contents = import.meta.glob<LessonContent>('../../content/lessons/*.yaml', { import: 'default' });
/** Apart from the rest: only instructors read them. */
const notes = import.meta.glob<LessonContent['notes']>('../../content/lessons/*.yaml', {
	import: 'default',
	query: '?notes'
});

export type { ListedLesson };

/** All lessons, in their order. The id of a lesson is the name of its file in `src/content/lessons`. */
export const allLessons: readonly (LessonSummary & { readonly id: string })[] = listed(summaries);

/** The lessons of a class, in the order of the course. All of them where the class names none. */
export function lessonsOf(ids: readonly string[] = []): readonly ListedLesson[] {
	return ids.length === 0 ? allLessons : allLessons.filter(({ id }) => ids.includes(id));
}

/**
 * Loads a lesson. One of an instructor must have been read, see `loadOwnLessons`. Undefined if no lesson has this id.
 * @param hasNotes with the notes for instructors; without them, those of a lesson of the product are empty
 */
export async function loadLesson(id: string, hasNotes = false): Promise<Lesson | undefined> {
	if (id.startsWith(ownLessonPrefix)) return (await import('./own-lessons.svelte.ts')).loadOwnLesson(id);
	const [content, { compileLesson }, { loadCode }] = await Promise.all([
		hasNotes ? loadContent(id) : contents[fileOf(id)]?.(),
		import('./file/compile-lesson.ts'),
		import('./code-parts.ts')
	]);
	return content && compileLesson(content, [], await loadCode(content));
}

/** The content of a lesson of the product, with the notes for instructors. */
export async function loadContent(id: string): Promise<LessonContent | undefined> {
	const [content, known] = await Promise.all([contents[fileOf(id)]?.(), notes[fileOf(id)]?.()]);
	return content && { ...content, ...(known && { notes: known }) };
}

/** The file of a lesson, seen from this folder. */
export const fileOf = (id: string) => `../../content/lessons/${id}.yaml`;

/** Loads the script of a lesson. Undefined if no lesson has this id. */
export async function loadScript(id: string): Promise<Script | undefined> {
	return (await import('./scripts.ts')).scripts[id];
}

/** What follows the last lesson. */
export const exam = {
	title: 'The exam',
	goal: 'Your own client meets unusual but legal responses.',
	minutes: 25
} as const;
