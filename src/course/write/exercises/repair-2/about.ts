import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'It signs in the wrong user',
	goal: 'Find out why a link signs a user in to another account, and repair the client.',
	order: 10,
	group: 'Repair',
	minutes: 6
};
