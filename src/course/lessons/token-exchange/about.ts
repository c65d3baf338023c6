import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'A smaller token for a helper',
	goal: 'Exchange the token of a user for one with fewer permissions, and try to get them back.',
	order: 20,
	chapter: 'Today’s standards',
	minutes: 7
};
