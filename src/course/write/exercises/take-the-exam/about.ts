import type { ExerciseSummary } from '../../exercise.ts';

export const about: ExerciseSummary = {
	title: 'Take the exam',
	goal: 'Let all rules judge the client that you wrote.',
	order: 14,
	group: 'Exam',
	minutes: 5
};
