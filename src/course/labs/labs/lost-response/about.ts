import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'The lost response',
	goal: 'A retry that looks like a theft',
	order: 15,
	group: 'Sessions and tokens',
	minutes: 9,
	lesson: 'one-refresh-for-all'
};
