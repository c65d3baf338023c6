import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'A token that a thief cannot use',
	goal: 'Bind a token to a key, then replay a copied request and send the stolen token without the key.',
	order: 19,
	chapter: 'Today’s standards',
	minutes: 6
};
