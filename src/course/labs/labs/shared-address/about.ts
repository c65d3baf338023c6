import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Ban of a shared address',
	goal: 'One client blocks all others behind it',
	order: 12,
	group: 'Users and limits',
	minutes: 9,
	lesson: 'blacklisted'
};
