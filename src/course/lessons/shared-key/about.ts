import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Who shares my key',
	goal: 'Get a user rejected who has sent nothing, and find out what the service counts by.',
	order: 16,
	chapter: 'Limits',
	minutes: 6
};
