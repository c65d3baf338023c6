import { ownLessonPrefix } from '#api/control/own-lessons.ts';
import type { LessonContent } from '#evidence/lesson-file/lesson-file.ts';
import type { Lesson, LessonSummary, ListedLesson } from './lesson.ts';
import type { Script } from './scripted-client.ts';

const summaries = import.meta.glob<LessonSummary>('./*/about.ts', { eager: true, import: 'about' });
const lessons = import.meta.glob<Lesson>('./*/lesson.ts', { import: 'lesson' });
const files = import.meta.glob<LessonContent>('./*/lesson.json', { import: 'default' });
const scripts = import.meta.glob<Script>('./*/script.ts', { import: 'script' });

export type { ListedLesson };

/** All lessons, in their order. A folder with `about.ts`, `lesson.ts` or `lesson.json`, and `script.ts` is a lesson. */
export const allLessons: readonly (LessonSummary & { readonly id: string })[] = Object.entries(summaries)
	.map(([path, about]) => ({ id: path.split('/')[1] ?? '', ...about }))
	.sort((one, other) => one.order - other.order);

/** The lessons of a class, in the order of the course. All of them where the class names none. */
export function lessonsOf(ids: readonly string[] = []): readonly ListedLesson[] {
	return ids.length === 0 ? allLessons : allLessons.filter(({ id }) => ids.includes(id));
}

/** Loads a lesson. One of an instructor must have been read, see `loadOwnLessons`. Undefined if no lesson has this id. */
export async function loadLesson(id: string): Promise<Lesson | undefined> {
	if (id.startsWith(ownLessonPrefix)) return (await import('./own-lessons.svelte.ts')).loadOwnLesson(id);
	const content = await loadContent(id);
	if (content === undefined) return lessons[`./${id}/lesson.ts`]?.();
	const { compileLesson } = await import('./file/compile-lesson.ts');
	return compileLesson(content);
}

/** The lessons of the product that are files. */
export const productFiles = allLessons.filter(({ id }) => files[`./${id}/lesson.json`] !== undefined);

/** The content of a lesson of the product that is a file. */
export async function loadContent(id: string): Promise<LessonContent | undefined> {
	return files[`./${id}/lesson.json`]?.();
}

/** Loads the script of a lesson. Undefined if no lesson has this id. */
export async function loadScript(id: string): Promise<Script | undefined> {
	return scripts[`./${id}/script.ts`]?.();
}

/** What follows the last lesson. */
export const exam = {
	title: 'The exam',
	goal: 'Your own client meets unusual but legal responses.',
	minutes: 25
} as const;
