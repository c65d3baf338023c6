import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Stolen token at another resource',
	goal: 'A token for one server, used at a second',
	order: 9,
	group: 'Sessions and tokens',
	minutes: 10,
	lesson: 'token-in-a-url'
};
