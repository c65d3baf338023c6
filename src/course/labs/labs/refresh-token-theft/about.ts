import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Refresh token theft',
	goal: 'Two holders of one token',
	order: 8,
	group: 'Sessions and tokens',
	minutes: 10,
	lesson: 'online-and-offline'
};
