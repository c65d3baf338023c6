import { lessonsOf, type ListedLesson } from '../all-lessons.ts';
import { ownLessons } from '../own-lessons.svelte.ts';
import { lessonIn, stateOf, type Progress } from './progress.ts';

/**
 * The lesson to continue with: the one that was started last and is not completed, or the first that was not opened.
 * @param lessons in their order
 * @returns undefined if all are completed
 */
export function nextLesson(lessons: readonly ListedLesson[], progress: Progress): ListedLesson | undefined {
	const rest = lessons.map((lesson) => ({ lesson, recorded: lessonIn(progress, lesson.id) }));
	const inState = (wanted: string) => rest.filter(({ recorded }) => stateOf(recorded) === wanted);
	const [latest] = inState('started').sort((one, other) => (other.recorded.started ?? 0) - (one.recorded.started ?? 0));
	const found = latest ?? inState('open')[0] ?? inState('revealed')[0];
	return found?.lesson;
}

/** The lesson after one. In a class, those of its instructor come first. @param ids those of the class; undefined outside of one */
export function followingLesson(id: string, ids: readonly string[] | undefined): ListedLesson | undefined {
	const lessons = [...ownLessons().filter((one) => ids?.includes(one.id) === true), ...lessonsOf(ids)];
	return lessons[lessons.findIndex((one) => one.id === id) + 1];
}
