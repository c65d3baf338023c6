import { authorizationPage, type Guide, type GuideStep } from '#api/world/guide.ts';

/** Where an embedded demo is: a page of the app below its window, and the page in the window. */
export type DemoPlace = {
	/** `/viewer` or `/inspector`. */
	readonly path: string;
	/** The page of the service in the window. Undefined: the window is closed. */
	readonly text?: string | undefined;
};

/** The pages of the app that an embedded demo has. */
export const demoPaths = ['/viewer', '/inspector'] as const;

/** The page of the app that a step is on; undefined: it is at the service, or on a page that is not embedded. */
export function pathOf({ path }: GuideStep): (typeof demoPaths)[number] | undefined {
	return demoPaths.find((one) => path === one || path.startsWith(`${one}?`));
}

/** The selector of what a step points at. */
export function selectorOf({ target }: Pick<GuideStep, 'target'>): string {
	return `[data-guide='${target ?? ''}']`;
}

/** Whether what a step points at can be seen. */
export function isShown(step: GuideStep, { path, text }: DemoPlace): boolean {
	if (text === undefined) return pathOf(step) === path;
	return step.target !== undefined && text.includes(`data-guide="${step.target}"`);
}

/**
 * The step that a new page shows: the user went on by pressing a button of it. Pages of a user who is signed in already are not shown.
 * @param at index of the step before
 */
export function stepAt({ steps }: Pick<Guide, 'steps'>, at: number, place: DemoPlace): number {
	const next = steps.findIndex((step, index) => index >= at && isShown(step, place));
	return next < 0 ? at : next;
}

/** The index of the step before that can be opened. */
export function stepBefore({ steps }: Pick<Guide, 'steps'>, at: number, place: DemoPlace): number {
	const before = steps.slice(0, at).findLastIndex((step) => pathOf(step) !== undefined || isShown(step, place));
	return Math.max(0, before);
}

/** What to do in a step. */
export function hintOf(step: GuideStep, place: DemoPlace): string {
	if (isShown(step, place)) return step.press === true ? 'Press what is outlined, or Next.' : '';
	if (step.path.startsWith(authorizationPage)) return 'Go back to the step that leads to this page.';
	return pathOf(step) === undefined ? 'This page is not part of the embedded demo.' : 'This step is on another page.';
}
