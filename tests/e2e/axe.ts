import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails if axe finds a violation in the page, in the light or the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
	await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
	expect(await violations(page, new AxeBuilder({ page }))).toEqual([]);
	// The themes differ only in their colors.
	await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' });
	expect(await violations(page, new AxeBuilder({ page }).withRules('color-contrast'))).toEqual([]);
	await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

async function violations(page: Page, axe: AxeBuilder): Promise<string[]> {
	await page.evaluate(transitionsFinished);
	const results = await axe.analyze();
	return results.violations.flatMap(({ id, help, nodes }) =>
		nodes.map((node) => `${id} (${help}) at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`)
	);
}

/** Runs in the page: waits until all colors have reached their value. */
async function transitionsFinished(): Promise<void> {
	await new Promise(requestAnimationFrame);
	const running = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
	await Promise.allSettled(running.map(({ finished }) => finished));
}
