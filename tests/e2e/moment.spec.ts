import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expectUsable } from './reflow.ts';
import { events, lookUp, openViewer, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share this moment' });

test(
	'a failed exchange opens from its link, for users without the sandbox',
	{ tag: '@nightly' },
	async ({ page, browser }) => {
		await openViewer(page);
		await signIn(page, 'player-one');
		await lookUp(page, 'Unknown Hero');
		await events(page)
			.getByRole('link', { name: /^Show checks of .*Unknown Hero/ })
			.click();
		await page.getByRole('region', { name: 'Both ends' }).getByRole('button', { name: 'Share' }).click();
		const link = await dialog(page).getByLabel('Link').inputValue();
		await expectAccessible(page, 'dialog[open]');

		const context = await browser.newContext({ ignoreHTTPSErrors: true });
		const other = await context.newPage();
		const requested: string[] = [];
		other.on('request', (request) => requested.push(request.url()));
		await other.goto(link);
		await expect(other).toHaveTitle(/^No such character/);
		await expect(other.getByRole('heading', { level: 1, name: 'No such character' })).toBeVisible();
		await expect(other.locator('[data-check="character.exists"]')).toContainText('Failed:');
		await expect(other.getByText('Unknown%20Hero').first()).toBeVisible();
		await expectUsable(other);
		expect(requested.filter((url) => url.includes(link.slice(link.indexOf('#') + 1)))).toEqual([]);

		await other.goto(link.slice(0, -40));
		await other.reload();
		await expect(other.getByRole('alert')).toContainText('damaged or incomplete');
		await context.close();
	}
);
