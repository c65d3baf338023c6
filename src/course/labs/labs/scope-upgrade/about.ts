import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Scope upgrade',
	goal: 'A permission that the victim never saw',
	order: 16,
	group: 'Users and limits',
	minutes: 7,
	lesson: 'asking-for-less'
};
