import type { Lesson, LessonSummary, LessonTraces } from './engine/lesson.ts';

const summaries = import.meta.glob<LessonSummary>('./*/about.ts', { eager: true, import: 'about' });
const lessons = import.meta.glob<Lesson>('./*/lesson.ts', { import: 'lesson' });
const traces = import.meta.glob<LessonTraces>('./*/traces.ts', { import: 'traces' });

/** A lesson of the list. Its id is the name of its folder. */
export type ListedLesson = LessonSummary & { readonly id: string };

/** All lessons, in their order. A folder with `about.ts`, `lesson.ts` and `traces.ts` is a lesson. */
export const allLessons: readonly ListedLesson[] = Object.entries(summaries)
	.map(([path, about]) => ({ id: path.split('/')[1] ?? '', ...about }))
	.sort((one, other) => one.order - other.order);

/** Loads a lesson; undefined where there is none. */
export async function loadLesson(id: string): Promise<Lesson | undefined> {
	return lessons[`./${id}/lesson.ts`]?.();
}

/** Loads the runs of a lesson; undefined where there is none. */
export async function loadTraces(id: string): Promise<LessonTraces | undefined> {
	return traces[`./${id}/traces.ts`]?.();
}
