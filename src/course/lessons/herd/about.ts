import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'The herd',
	goal: 'See all rejected clients return in the same second, then spread them.',
	order: 14,
	chapter: 'Limits',
	minutes: 6
};
