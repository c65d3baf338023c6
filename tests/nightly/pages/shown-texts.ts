import { expect, type Page } from '@playwright/test';
import { hydrated } from '../../e2e/demo-clients.ts';

/**
 * What users see of pages after their scripts ran, with the title, the names of elements, and what forms contain.
 * @param open opens the page of a path
 */
export async function shownTexts(
	page: Page,
	paths: readonly string[],
	open: (path: string) => Promise<unknown>
): Promise<Record<string, string>> {
	const texts: Record<string, string> = {};
	for (const path of paths) {
		await open(path);
		await hydrated(page);
		await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
		const names = await page.evaluate(() =>
			[...document.querySelectorAll('[alt], [aria-label], [title], [placeholder], input, textarea')].flatMap(
				(element) => [
					...['alt', 'aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
					element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type === 'text')
						? element.value
						: ''
				]
			)
		);
		texts[path] = [await page.title(), await page.locator('body').innerText(), ...names].join('\n');
	}
	return texts;
}
