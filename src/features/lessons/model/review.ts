import { allLessons } from '../all-lessons.ts';
import type { ReviewQuestion } from '../lesson.ts';
import type { Progress } from './progress.ts';

/** How many questions a lesson begins with at most. */
const most = 2;

/** A question about an earlier lesson, with the key of its choice in the progress. */
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

/** Records the choice of an option. The first one stays. */
export function withChoice(progress: Progress, key: string, choice: Progress['choices'][string]): Progress {
	return { ...progress, choices: { [key]: choice, ...progress.choices } };
}
