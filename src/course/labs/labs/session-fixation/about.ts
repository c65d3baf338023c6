import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Session fixation across users',
	goal: 'One link, two users, one session',
	order: 7,
	group: 'Sessions and tokens',
	minutes: 11,
	lesson: 'uninvited-code'
};
