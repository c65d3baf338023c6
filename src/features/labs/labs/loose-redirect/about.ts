import type { LabSummary } from '#labs/lab.ts';

export const about: LabSummary = {
	title: 'Loose redirect match',
	goal: 'A code sent through a link of the client',
	order: 5,
	group: 'Redirects',
	minutes: 10,
	lesson: 'one-letter-off'
};
