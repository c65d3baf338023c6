import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'A signature in place of a secret',
	goal: 'Let an application sign who it is, then try a stolen secret, a stolen signature and an old key.',
	order: 22,
	chapter: 'Today’s standards',
	minutes: 7
};
