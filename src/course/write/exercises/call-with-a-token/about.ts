import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'Call with a token',
	goal: 'Read characters with the access token, whatever their names contain.',
	order: 4,
	group: 'Use the token',
	minutes: 5,
	lesson: 'token-in-a-url'
};
