import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';
import type { RunOptions } from 'axe-core';

// Minified: it takes longer to send the script to a page than to run it.
const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A check of both themes costs as much as several pages, so it is made at night. */
const checksBoth = process.env.AXE_THEMES === 'both';

/**
 * Fails if axe finds a violation in a part of the page, in the theme that it has. The page has the other theme afterwards, so that its
 * checks alternate. With `AXE_THEMES=both`, the contrast of the other theme is checked too.
 * @param part selects the part. Default: the whole page
 */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
	const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
	await expectNoViolation(page, part, isDark ? 'dark' : 'light', {});
	const other = isDark ? 'light' : 'dark';
	await page.emulateMedia({ colorScheme: other });
	if (checksBoth) await expectNoViolation(page, part, other, { runOnly: ['color-contrast'] });
}

async function expectNoViolation(page: Page, part: string, theme: string, options: RunOptions): Promise<void> {
	// A part that is drawn while the theme changes can have a color of the other theme for a moment.
	await expect
		.poll(() => violations(page, part, options), {
			message: `${page.url()} ${theme}`,
			timeout: 30_000 // a long page on a busy machine
		})
		.toEqual([]);
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
	// Once a document.
	if (!(await page.evaluate(() => 'axe' in window))) {
		await page.evaluate(script);
		await page.evaluate(parseColorsOnce);
	}
	return page.evaluate(runAxe, { part, options });
}

/** Runs in the page: axe parses the colors of each element again, which is a fifth of its time. They are few. */
function parseColorsOnce(): void {
	type Color = { r: number; g: number; b: number; alpha: number; parseString(text: string): Color };
	const { commons }: { commons: { color: { Color: { new (): Color; prototype: Color } } } } = Reflect.get(
		window,
		'axe'
	);
	const { Color } = commons.color;
	const parse = Color.prototype.parseString;
	const parsed = new Map<string, Color>();
	Color.prototype.parseString = function (text) {
		const color = parsed.get(text) ?? parse.call(new Color(), text);
		parsed.set(text, color);
		const { r, g, b, alpha } = color;
		return Object.assign(this, { r, g, b, alpha });
	};
}

/** Runs in the page, which has no frames: describes the violations. */
async function runAxe({ part, options }: { part: string; options: RunOptions }): Promise<string[]> {
	const engine: typeof axe = Reflect.get(window, 'axe');
	const { violations } = await engine.run(part, { ...options, resultTypes: ['violations'] });
	return violations.flatMap(({ id, help, nodes }) =>
		nodes.map((node) => `${id} (${help}) at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`)
	);
}
