import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Consent phishing',
	goal: 'A client with a trusted name',
	order: 11,
	group: 'Users and limits',
	minutes: 9,
	lesson: 'asking-for-less'
};
