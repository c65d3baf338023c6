import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'The edge of a window',
	goal: 'Get almost twice the limit through a fixed window, then see another algorithm reject it.',
	order: 13,
	chapter: 'Limits',
	minutes: 8
};
