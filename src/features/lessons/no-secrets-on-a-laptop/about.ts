import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Installed apps and PKCE',
	goal: 'Sign in to an installed application in two ways, then try to steal its code.',
	order: 13,
	chapter: 'Installed apps',
	minutes: 8
};
