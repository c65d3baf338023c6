import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'Refresh once for all',
	goal: 'Get a new access token when calls get 401, with one request for all of them.',
	order: 5,
	group: 'Use the token',
	minutes: 12,
	lesson: 'one-refresh-for-all'
};
