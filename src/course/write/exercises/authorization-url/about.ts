import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'Build the authorization URL',
	goal: 'Send the user to the service, with a request that only your client can finish.',
	order: 1,
	group: 'Sign in',
	minutes: 6,
	lesson: 'one-letter-off'
};
