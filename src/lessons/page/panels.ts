import type { LessonPanel } from '../engine/lesson.ts';

/** What the tabs beside a lesson are called. */
export const panelLabels: Readonly<Partial<Record<LessonPanel, string>>> = {
	attack: 'Attacker',
	viewer: 'Viewer',
	companion: 'Companion',
	request: 'Request',
	timeline: 'Timeline',
	diagram: 'Diagram',
	tokens: 'Tokens',
	'rate-limits': 'Rate limits',
	support: 'Support',
	clock: 'Clock'
};

/** The panels that show exchanges, and what is selected among them. */
export const inspectorPanels: readonly LessonPanel[] = ['timeline', 'diagram', 'tokens', 'rate-limits'];
