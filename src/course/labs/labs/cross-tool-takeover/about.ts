import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Takeover across tools',
	goal: 'One tool takes the code of another',
	order: 13,
	group: 'Redirects',
	minutes: 10,
	lesson: 'one-letter-off'
};
