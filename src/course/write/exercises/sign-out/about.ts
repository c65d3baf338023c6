import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'Sign out',
	goal: 'End the access at the service, and forget the tokens.',
	order: 7,
	group: 'Finish',
	minutes: 6,
	lesson: 'taking-it-back'
};
