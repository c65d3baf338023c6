import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const contrast = 'color-contrast';

/** Fails if axe finds a violation in the page, in the light or the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
	await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
	expect(await violations(page, axe(page).disableRules(contrast)), page.url()).toEqual([]);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
		// The slowest rule. The rows of a table have the same colors.
		const result = await violations(page, axe(page).withRules(contrast).exclude('tbody tr:nth-child(n + 4)'));
		expect(result, `${page.url()} ${colorScheme}`).toEqual([]);
	}
	await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** Runs in the page itself, which has no frames, and describes violations only: several times as fast as the default. */
function axe(page: Page): AxeBuilder {
	return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
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
