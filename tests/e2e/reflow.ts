import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';

/** Checks a page, or a part of it that axe has not checked yet, and its reflow. */
export async function expectUsable(page: Page, part?: string): Promise<void> {
	await expectAccessible(page, part);
	await expectReflow(page);
}

/** Checks the reflow of a page (WCAG 1.4.10) down to a phone with text at 200%. */
export async function expectReflow(page: Page): Promise<void> {
	for (const width of [390, 320, 195]) {
		await page.setViewportSize({ width, height: 800 });
		// A busy page takes a moment to get its new width, and another one until sizes in units of its containers follow.
		await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), page.url()).toBe(width);
		if (width > 195) await expect.poll(() => page.evaluate(brokenWords), page.url()).toEqual([]);
	}
	await page.setViewportSize({ width: 1280, height: 800 });
}

/** Runs in the page: short words that a line break splits. URLs and tokens may break anywhere. */
function brokenWords(): string[] {
	const words: string[] = [];
	const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
	for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
		const parent = node.parentElement;
		if (parent?.checkVisibility() !== true || parent.closest('code, pre, summary, bdi, ol')) continue;
		const text = node.textContent ?? '';
		if (!isBroken(node, 0, text.length)) continue; // one line
		for (const { 0: word, index } of text.matchAll(/(?<![\p{L}/])\p{L}{2,12}(?!\p{L})/gu)) {
			if (isBroken(node, index, index + word.length)) words.push(word);
		}
	}
	return words;

	function isBroken(node: Node, from: number, to: number): boolean {
		const range = document.createRange();
		range.setStart(node, from);
		range.setEnd(node, to);
		return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size > 1;
	}
}
