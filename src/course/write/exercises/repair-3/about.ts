import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'It sends more than it needs',
	goal: 'Find out why there are so many token requests, and repair the client.',
	order: 11,
	group: 'Repair',
	minutes: 8
};
