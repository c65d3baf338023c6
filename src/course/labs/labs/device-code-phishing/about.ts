import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Device code phishing',
	goal: 'The victim types the attacker’s code',
	order: 10,
	group: 'Users and limits',
	minutes: 10,
	lesson: 'asking-for-less'
};
