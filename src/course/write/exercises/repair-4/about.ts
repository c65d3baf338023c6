import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'It reads every character in the end',
	goal: 'Find out why the client makes failures worse, and repair it.',
	order: 12,
	group: 'Repair',
	minutes: 7,
	lesson: 'blacklisted'
};
