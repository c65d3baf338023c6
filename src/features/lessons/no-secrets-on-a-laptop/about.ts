import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'No secrets on a laptop',
	goal: 'Sign in to an installed application in two ways, then try to steal its code.',
	order: 13,
	chapter: 'Installed apps',
	minutes: 9
};
