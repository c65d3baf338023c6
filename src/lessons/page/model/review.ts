import { allLessons } from '../../all-lessons.ts';
import type { ReviewQuestion } from '../../engine/lesson.ts';
import type { Progress } from './progress.ts';

/** How many questions a lesson begins with at most. */
const most = 2;

/** A question about an earlier lesson, with the key of its answer in the progress. */
export type AskedQuestion = ReviewQuestion & { readonly key: string };

/** The questions about earlier lessons that a lesson begins with. */
export function reviewFor(lesson: string): readonly AskedQuestion[] {
	return allLessons
		.flatMap(({ id, review = [] }) =>
			review
				.filter(({ askedIn }) => askedIn.includes(lesson))
				.map((question) => ({ ...question, key: `${id}/${question.id}/${lesson}` }))
		)
		.slice(0, most);
}

/** Records the answer to a question. The first one stays. */
export function withAnswer(progress: Progress, key: string, answer: Progress['answers'][string]): Progress {
	return { ...progress, answers: { [key]: answer, ...progress.answers } };
}
