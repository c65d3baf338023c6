import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Blacklisted, and the way back',
	goal: 'Get your address blacklisted, recognize it, and get unblocked with a support ticket.',
	order: 12,
	chapter: 'Limits',
	minutes: 7,
	isInSelection: true
};
