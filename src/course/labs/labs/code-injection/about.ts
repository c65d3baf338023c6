import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Code injection',
	goal: 'A stolen code in the attacker’s sign-in',
	order: 2,
	group: 'Sign-in',
	minutes: 10,
	lesson: 'once-too-often'
};
