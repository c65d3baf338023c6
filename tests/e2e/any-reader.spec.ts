import { expect, test } from './fixtures.ts';
import { openViewer, show, signIn } from './viewer-walk.ts';

const pages = ['/', '/viewer', '/companion', '/account', '/applications', '/support', '/nothing', '/~nobody/viewer'];

// The second is a phone whose letters are twice as large: all measures of the pages are in rem.
for (const width of [320, 195]) {
	test(`in ${String(width)} px no page scrolls sideways (WCAG 1.4.10)`, async ({ page }) => {
		await page.setViewportSize({ width, height: 640 });
		for (const path of pages) {
			await page.goto(path);
			await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
			if (/^.(?:viewer|companion)$/.test(path)) {
				await expect(page.getByRole('heading', { name: 'What the client does' })).toBeVisible();
			}
			expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width);
		}
	});
}

for (const width of [390, 320, 195]) {
	test(`in ${String(width)} px the viewer at work scrolls down alone, and no word is taken apart`, async ({ page }) => {
		await page.setViewportSize({ width, height: 640 });
		await openViewer(page);
		await signIn(page, 'player-one', { offline: true });
		await page.getByLabel('Name here').fill('Somebody with a rather long name');
		await page.keyboard.press('Enter');
		await show(page, 'Zoë Šťastná');
		await page.getByRole('button', { name: 'Watch', exact: true }).click();
		await page.getByRole('button', { name: 'Ask ratelimits' }).click();
		await expect(page.getByRole('table', { name: 'What ratelimits says' })).toBeVisible();
		await expect(page.getByRole('list', { name: 'Watched characters' })).toBeVisible();
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
		const broken = await page.evaluate(() => {
			const words: string[] = [];
			const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
			for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
				// Addresses and tokens may break anywhere.
				if (node.parentElement?.closest('code, pre, summary, .label, .facts')) continue;
				for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\p{L}{2,12}/gu)) {
					const range = document.createRange();
					range.setStart(node, index);
					range.setEnd(node, index + word.length);
					const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
					if (lines.size > 1) words.push(word);
				}
			}
			return words;
		});
		expect(broken).toEqual([]);
	});
}

test('what takes the focus on a phone stands clear of the bars (WCAG 2.4.11)', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 640 });
	await page.goto('/');
	const covered: string[] = [];
	const last = page.getByRole('button', { name: 'More' });
	while (!(await last.evaluate((more) => more === document.activeElement))) {
		await page.keyboard.press('Tab');
		const found = await page.evaluate(() => {
			const focused = document.activeElement?.closest('label') ?? document.activeElement ?? document.body;
			const { x, y, width, height } = focused.getBoundingClientRect();
			const seen = document.elementFromPoint(x + width / 2, y + height / 2);
			return focused.contains(seen) ? [] : [focused.textContent];
		});
		covered.push(...found);
	}
	expect(covered).toEqual([]);
});

test.describe('without scripts', () => {
	test.use({ javaScriptEnabled: false });

	test('the start is whole, and offers nothing that would do nothing', async ({ page }) => {
		await page.goto('/');
		await expect(page.getByRole('link', { name: 'Walk through a sign-in' })).toBeVisible();
		await expect(page.getByText('curl -k')).toBeVisible();
		await expect(page.locator('button:visible')).toHaveCount(0);
	});

	test('an application says what it needs, and what works without', async ({ page }) => {
		for (const path of ['/viewer', '/companion']) {
			await page.goto(path);
			await expect(page.locator('noscript .notice')).toContainText('JavaScript is switched off');
			await expect(page.getByText('Loading')).toBeHidden();
		}
		await page.locator('noscript').getByRole('link', { name: 'account' }).click();
		await page.getByRole('button', { name: 'player-one' }).click();
		await expect(page.getByText('Signed in as player-one.')).toBeVisible();
	});
});

test('whoever wants more contrast sees the edge of everything as dark as its words', async ({ page }) => {
	await page.emulateMedia({ contrast: 'more' });
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	const edged = [
		page.getByRole('button', { name: 'Sign out' }),
		page.getByRole('button', { name: 'Hammer' }),
		page.getByRole('button', { name: 'Refresh now' })
	];
	for (const one of edged) {
		const { color } = await one.evaluate((element) => ({ color: getComputedStyle(element).color }));
		await expect(one).toHaveCSS('border-top-color', color);
	}
});
