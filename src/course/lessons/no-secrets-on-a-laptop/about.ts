import type { LessonSummary } from '../lesson.ts';

export const about: LessonSummary = {
	title: 'Installed apps and PKCE',
	goal: 'Steal the code of an installed application, then see how PKCE makes a stolen code useless.',
	order: 17,
	chapter: 'Installed apps',
	minutes: 9
};
