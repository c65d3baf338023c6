import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'Login CSRF',
	goal: 'The victim is signed in as the attacker',
	order: 1,
	group: 'Sign-in',
	minutes: 8,
	lesson: 'uninvited-code'
};
