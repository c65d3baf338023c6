import type { LessonPanel } from '../lesson.ts';

/** What the tabs beside a lesson are called. */
export const panelLabels: Readonly<Record<LessonPanel, string>> = {
	attack: 'Attacker',
	leak: 'URLs',
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

const key = (lesson: string) => `tollgate-lesson-panel ${lesson}`;

/** The panel of a lesson that was open before this tab left the page. */
export function openPanel(lesson: string, panels: readonly LessonPanel[]): LessonPanel {
	const first = panels[0] ?? 'timeline';
	try {
		const stored = sessionStorage.getItem(key(lesson));
		return panels.find((panel) => panel === stored) ?? first;
	} catch {
		return first;
	}
}

/** Remembers the open panel of a lesson in this tab. */
export function rememberPanel(lesson: string, panel: LessonPanel): void {
	try {
		sessionStorage.setItem(key(lesson), panel);
	} catch {
		// Storage is blocked: the first panel opens.
	}
}
