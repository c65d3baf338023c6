import type { ListedLesson } from '../all-lessons.ts';
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
