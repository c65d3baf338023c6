import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: '307 redirect',
	goal: 'The password is posted a second time',
	order: 6,
	group: 'Redirects',
	minutes: 7,
	lesson: 'whole-trip'
};
