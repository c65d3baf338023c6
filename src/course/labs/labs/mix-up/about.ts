import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Mix-up with two issuers',
	goal: 'The code goes to the wrong server',
	order: 4,
	group: 'Sign-in',
	minutes: 10,
	lesson: 'once-too-often'
};
