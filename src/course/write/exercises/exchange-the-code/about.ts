import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'Exchange the code',
	goal: 'Send the code to the token endpoint, and return the tokens.',
	order: 3,
	group: 'Sign in',
	minutes: 8,
	lesson: 'whole-trip'
};
