import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'Wait for the limit',
	goal: 'Read more characters than a window allows, and wait as the service says.',
	order: 6,
	group: 'Use the token',
	minutes: 8,
	lesson: 'slow-is-fast'
};
