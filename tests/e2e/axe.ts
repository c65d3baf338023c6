import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

/**
 * Fails if axe finds a violation in a part of the page: by all rules in the light theme, in the contrast of the dark theme.
 * @param part selects the part. Default: the whole page
 */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
	await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
	expect(await violations(page, part, {}), `${page.url()} light`).toEqual([]);
	await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' });
	// A part that is drawn while the theme changes can have a color of the other theme for a moment.
	await expect
		.poll(() => violations(page, part, { runOnly: ['color-contrast'] }), {
			message: `${page.url()} dark`,
			timeout: 30_000 // a long page on a busy machine
		})
		.toEqual([]);
	await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/**
 * Runs in the page, which is left afterwards: removes the rows and operations that have no element which an earlier one
 * of their table or list does not have.
 */
export function removeRepeated(all: Element[]): void {
	const seen = new Set<string>();
	for (const one of all) {
		const list = one.matches('details') ? 'operations' : (one.closest('[role=group]')?.ariaLabel ?? '');
		const elements = [one, ...one.querySelectorAll('*')].map((element) =>
			[list, element.tagName, element.getAttribute('class'), element.role].join()
		);
		if (elements.every((element) => seen.has(element))) one.remove();
		for (const element of elements) seen.add(element);
	}
}

async function violations(page: Page, part: string, options: RunOptions): Promise<string[]> {
	await page.evaluate(transitionsFinished);
	// Once a document: half a megabyte of script.
	if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
	return page.evaluate(runAxe, { part, options });
}

/** Runs in the page, which has no frames: describes the violations. */
async function runAxe({ part, options }: { part: string; options: RunOptions }): Promise<string[]> {
	const engine: typeof axe = Reflect.get(window, 'axe');
	const { violations } = await engine.run(part, { ...options, resultTypes: ['violations'] });
	return violations.flatMap(({ id, help, nodes }) =>
		nodes.map((node) => `${id} (${help}) at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`)
	);
}

/** Runs in the page: waits until all colors have reached their value. */
async function transitionsFinished(): Promise<void> {
	// Chromium sometimes keeps the inherited color of a text that changes while the theme does. This computes all styles again.
	const { activeElement, documentElement } = document;
	documentElement.style.visibility = 'hidden';
	await new Promise(requestAnimationFrame);
	documentElement.style.visibility = '';
	await new Promise(requestAnimationFrame);
	if (activeElement instanceof HTMLElement && activeElement !== document.activeElement) activeElement.focus();
	const running = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
	await Promise.allSettled(running.map(({ finished }) => finished));
}
