import type { LabPart } from '../model/lab-session.svelte.ts';

/** The names of the parts in the bar. */
export const partNames: Readonly<Record<LabPart, string>> = {
	briefing: 'Briefing',
	attack: 'Attack',
	happened: 'What happened',
	defend: 'Defend',
	defended: 'Defended'
};
