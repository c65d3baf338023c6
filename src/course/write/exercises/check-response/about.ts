import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'Check the response',
	goal: 'Accept the response to your own request, and no other one.',
	order: 2,
	group: 'Sign in',
	minutes: 8,
	lesson: 'uninvited-code'
};
