import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'It stays signed in after sign-out',
	goal: 'Find out why some users keep their access, and repair the client.',
	order: 13,
	group: 'Repair',
	minutes: 6,
	lesson: 'online-and-offline'
};
