import type { ReviewQuestion } from '#evidence/lesson-file/product-lesson.ts';
import { allLessons, fileOf } from '../all-lessons.ts';
import { lessonIn, type Progress } from './progress.ts';

const reviews = import.meta.glob<readonly ReviewQuestion[] | undefined>('../../../content/lessons/*.yaml', {
	eager: true,
	import: 'default',
	query: '?review'
});

/** How many questions a lesson ends with at most. */
const most = 2;

/** A question about an earlier lesson, with the key of its choice in the progress. */
export type AskedQuestion = ReviewQuestion & { readonly key: string };

/** The questions about a lesson that later ones ask. */
export const reviewsOf = (lesson: string): readonly ReviewQuestion[] => reviews[`../${fileOf(lesson)}`] ?? [];

/** The questions about earlier lessons that a lesson ends with. */
export function reviewFor(lesson: string): readonly AskedQuestion[] {
	return allLessons
		.flatMap(({ id }) =>
			reviewsOf(id)
				.filter(({ askedIn }) => askedIn.includes(lesson))
				.map((question) => ({ ...question, key: `${id}/${question.id}/${lesson}` }))
		)
		.slice(0, most);
}

/** The questions about lessons that the learner has completed. */
export function openReviews(lesson: string, progress: Progress): readonly AskedQuestion[] {
	return reviewFor(lesson).filter(({ key }) => lessonIn(progress, key.split('/')[0] ?? '').done !== undefined);
}

/** Records the choice of an option. The first one stays. */
export function withChoice(progress: Progress, key: string, choice: Progress['choices'][string]): Progress {
	return { ...progress, choices: { [key]: choice, ...progress.choices } };
}
