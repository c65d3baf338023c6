import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'A request sent ahead',
	goal: 'Push an authorization request, change it in the address bar, and use its reference twice.',
	order: 21,
	chapter: 'Today’s standards',
	minutes: 6
};
