import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'A device without a browser',
	goal: 'Connect a device with a short code, poll too early, and see who signs in where.',
	order: 18,
	chapter: 'Today’s standards',
	minutes: 6
};
