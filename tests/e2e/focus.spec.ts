import { openViewer, showCharacter, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

test(
	'the keyboard focus returns after a panel closes, and moves to its panel when a control disappears',
	{ tag: '@nightly' },
	async ({ page }) => {
		await openViewer(page);
		await signIn(page, 'player-one', { offline: true });
		await showCharacter(page, 'Mara Vell');
		const openers = [
			[page.getByRole('button', { name: 'Add user' }), /^Add another user/],
			[page.getByRole('button', { name: 'Choose permissions' }), /^Request more permissions/]
		] as const;
		for (const [opener, name] of openers) {
			const panel = page.getByRole('region', { name });
			await opener.press('Enter');
			await expect(panel).toBeFocused();
			await expect(panel).toBeInViewport();
			await opener.press('Enter');
			await expect(panel).toBeFocused();
			await page.keyboard.press('Tab');
			await page.keyboard.press('Escape');
			await expect(panel).toHaveCount(0);
			await expect(opener).toBeFocused();
		}
		await page.getByRole('button', { name: 'Simulate user away' }).press('Enter');
		await expect(page.getByRole('button', { name: 'User is back' })).toBeVisible();
		await expect(page.getByRole('region', { name: 'Signed-in users' })).toBeFocused();
		await page.getByRole('button', { name: 'Sign out' }).press('Enter');
		await expect(page.getByRole('region', { name: 'Sign in', exact: true })).toBeFocused();
	}
);

test(
	'no focused element is covered, on a wide and on a narrow page (WCAG 2.4.11)',
	{ tag: '@nightly' },
	async ({ page }) => {
		await openViewer(page);
		await signIn(page, 'player-one', { offline: true });
		await showCharacter(page, 'Mara Vell');
		const covered = new Set<string>();
		for (const width of [1280, 390]) {
			await page.setViewportSize({ width, height: 800 });
			for (const key of ['Tab', 'Shift+Tab']) {
				for (let presses = 0; presses < 45; presses += 1) {
					await page.keyboard.press(key);
					covered.add(await page.evaluate(coveredFocus));
				}
			}
		}
		expect([...covered]).toEqual(['']);
	}
);

/** Runs in the page: describes the focused element if something covers its center, otherwise returns an empty string. */
function coveredFocus(): string {
	const focused = document.activeElement;
	if (focused === null || focused === document.body) return '';
	const visible = focused.closest('label') ?? focused;
	const { x, y, width, height } = visible.getBoundingClientRect();
	const top = document.elementFromPoint(x + width / 2, y + height / 2);
	return top && (visible.contains(top) || top.contains(visible)) ? '' : `${focused.tagName} ${focused.textContent}`;
}
