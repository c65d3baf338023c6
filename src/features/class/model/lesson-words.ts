import { allLessons } from '../../lessons/all-lessons.ts';

/** The title of a lesson. Empty without one. */
export function lessonTitle(id: string | null): string {
	if (id === null) return '';
	return allLessons.find((lesson) => lesson.id === id)?.title ?? id;
}

/** The minutes that lessons take. */
export function minutesOf(lessons: typeof allLessons): number {
	return lessons.reduce((sum, { minutes }) => sum + minutes, 0);
}
