import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'The same in 15 lines with oauth4webapi',
	goal: 'Let a library do what you wrote yourself.',
	order: 8,
	group: 'Finish',
	minutes: 10,
	lesson: 'whole-trip'
};
