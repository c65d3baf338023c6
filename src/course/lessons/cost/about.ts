import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'What a request costs',
	goal: 'Get a request rejected while half of the limit is left.',
	order: 15,
	chapter: 'Limits',
	minutes: 6
};
