import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Loose redirect match',
	goal: 'A code sent through a link of the client',
	order: 5,
	group: 'Redirects',
	minutes: 10,
	lesson: 'one-letter-off'
};
