import type { LabSummary } from '#labs/lab.ts';

export const about: LabSummary = {
	title: 'Audience injection',
	goal: 'A signed assertion for one server, used at a second',
	order: 14,
	group: 'Redirects',
	minutes: 10,
	lesson: 'whole-trip'
};
