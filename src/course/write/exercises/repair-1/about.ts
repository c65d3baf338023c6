import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'It signs in, most of the time',
	goal: 'Find out why some codes are rejected, and repair the client.',
	order: 9,
	group: 'Repair',
	minutes: 7
};
