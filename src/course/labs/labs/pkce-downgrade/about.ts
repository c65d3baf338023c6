import type { LabSummary } from '../../engine/lab.ts';

export const about: LabSummary = {
	title: 'PKCE downgrade',
	goal: 'A code that no verifier protects',
	order: 3,
	group: 'Sign-in',
	minutes: 8,
	lesson: 'no-secrets-on-a-laptop'
};
