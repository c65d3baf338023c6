import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

const contrast = 'color-contrast';

/** The part of a page that is checked. */
type Part = string | { exclude: string[] };

/** Fails if axe finds a violation in the page, in the light or the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
	await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
	expect(await violations(page, 'html', { rules: { [contrast]: { enabled: false } } }), page.url()).toEqual([]);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
		// The slowest rule. The rows of a table have the same colors.
		const result = await violations(page, { exclude: ['tbody tr:nth-child(n + 4)'] }, { runOnly: [contrast] });
		expect(result, `${page.url()} ${colorScheme}`).toEqual([]);
	}
	await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

async function violations(page: Page, part: Part, options: RunOptions): Promise<string[]> {
	await page.evaluate(transitionsFinished);
	// Once a document: half a megabyte of script.
	if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
	return page.evaluate(runAxe, { part, options });
}

/** Runs in the page, which has no frames: describes the violations. */
async function runAxe({ part, options }: { part: Part; options: RunOptions }): Promise<string[]> {
	const engine: typeof axe = Reflect.get(window, 'axe');
	const { violations } = await engine.run(part, { ...options, resultTypes: ['violations'] });
	return violations.flatMap(({ id, help, nodes }) =>
		nodes.map((node) => `${id} (${help}) at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`)
	);
}

/** Runs in the page: waits until all colors have reached their value. */
async function transitionsFinished(): Promise<void> {
	await new Promise(requestAnimationFrame);
	const running = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
	await Promise.allSettled(running.map(({ finished }) => finished));
}
