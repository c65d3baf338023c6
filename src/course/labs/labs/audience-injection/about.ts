import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Audience injection',
	goal: 'A signed assertion, used twice',
	order: 14,
	group: 'Redirects',
	minutes: 10,
	lesson: 'whole-trip'
};
