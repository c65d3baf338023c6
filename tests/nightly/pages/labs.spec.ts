import { test } from '../../e2e/fixtures.ts';
import { openLabs, walkLab } from './walk-lab.ts';

const labs = openLabs();

for (const [index, id] of labs.entries()) {
	test(`lab ${id} is attacked and defended`, async ({ page }) => {
		await page.goto(`/labs/${id}`);
		// Every second one with the keyboard only.
		await walkLab(page, index % 2 === 0 ? 'mouse' : 'keyboard');
	});
}
