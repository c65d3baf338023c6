import { expectAccessible } from './axe.ts';
import { allow, chooseAccount } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { lookUp, startLesson } from './learn.ts';
import { expectUsable } from './reflow.ts';
import { openFromSidebar } from './sidebar.ts';

test('a lesson is predicted, done with our page, and judged by the records', async ({ page }) => {
	await startLesson(page, 'The whole trip');
	await expect(page.getByRole('region', { name: 'Predict the result' }).getByRole('radio').first()).toBeFocused();
	await expectAccessible(page);
	const url = page.url();
	const state = page.getByRole('region', { name: 'State of the lesson' });
	await expect(state).toContainText('No user has allowed access yet.');
	await expect(page.getByRole('img', { name: /^The goal/ })).toHaveAccessibleName(/code, state \(not done yet\)/);

	await page.getByRole('radio', { name: 'The access token' }).check();
	await page.getByRole('button', { name: 'Save prediction' }).click();
	await expect(page.getByText('Saved. Follow the steps')).toBeVisible();

	// The sign-in leaves the page for the service, and comes back to the lesson.
	await page.getByRole('button', { name: 'Sign in with Tollgate' }).click();
	await chooseAccount(page, 'player-one');
	await allow(page);
	await page.waitForURL(url);
	await expect(state).toContainText('It has not read a character with it.');
	await expect(page.getByText('The implicit flow did that.')).toBeVisible();
	await expect(page.getByText('in a request that the browser does not see')).toBeVisible();
	await expect(page.getByRole('region', { name: 'The exchange that shows it' })).toContainText('HTTP 303');

	await lookUp(page, 'Mara Vell');
	await expect(state).toContainText('All conditions are met.');
	await expect(page).toHaveURL(url);
	await expectAccessible(page);
	await page.getByRole('link', { name: 'Show the exchange: The application exchanged' }).click();
	await expect(page.getByRole('region', { name: 'Selected exchange' })).toContainText('/ws/oauth2/token/');
	await expectAccessible(page);
	// Not `expectReflow`: the id of a sandbox in a URL may break anywhere.
	for (const width of [390, 320, 195]) {
		await page.setViewportSize({ width, height: 800 });
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
	}
	await page.setViewportSize({ width: 1280, height: 800 });

	await page.reload();
	await expect(state).toContainText('All conditions are met.');

	// A reset opens it again, signs the users out, and keeps what is recorded.
	await page.getByRole('button', { name: 'Reset' }).click();
	await expect(state).toContainText('No user has allowed access yet.');
	await page.getByText('Viewer', { exact: true }).first().click();
	await expect(page.getByRole('button', { name: 'Sign in with Tollgate' })).toBeVisible();
	for (const path of ['/learn', '/learn/progress', '/learn/certificate']) {
		await page.goto(path);
		await expect(page.getByText(path === '/learn' ? 'Completed' : 'Completed on').first()).toBeVisible();
		await expectUsable(page);
	}
});

test('what Tollgate does is not recorded as shown by the learner', async ({ page }) => {
	await startLesson(page, 'The whole trip');
	await page.getByRole('button', { name: 'Hint' }).click();
	await page.getByRole('button', { name: 'Show the request' }).click();
	await expectAccessible(page);
	await page.getByRole('button', { name: 'Do it for me' }).click();
	await expect(page.getByRole('heading', { name: 'Done by Tollgate' })).toBeVisible();
	await page.goto('/learn/certificate');
	await expect(page.getByText('No completed lessons')).toBeVisible();
});

test('a sandbox that is gone is made again, and progress can be moved to another browser', async ({
	page,
	browser
}) => {
	await startLesson(page, 'The whole trip');
	const gone = page.url();
	await page.getByRole('radio', { name: 'I don’t know' }).check();
	await page.getByRole('button', { name: 'Save prediction' }).click();
	await expect(page.getByText('Saved. Follow')).toBeVisible();
	await page.evaluate((base) => fetch(`${base}/control/sandbox`, { method: 'DELETE' }), gone.replace(/\/learn.*/, ''));
	// The old address opens the new sandbox too.
	await page.goto(gone);
	await page.waitForURL((url) => /~.*\/learn\/whole-trip$/.test(url.href) && url.href !== gone);
	await expect(page.getByText('The sandbox of this lesson was gone, so there is a new one')).toBeVisible();
	await expect(page.getByText('Saved. Follow')).toBeVisible();

	await page.goto('/learn/progress');
	const saving = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Export progress' }).click();
	const file = await (await saving).path();
	const other = await browser.newPage();
	await other.goto('/learn/progress');
	await other.getByLabel('Import progress').setInputFiles('package.json');
	await expect(other.getByText('The file does not contain progress of Tollgate.')).toBeVisible();
	await other.getByLabel('Import progress').setInputFiles(file);
	await expect(other.getByRole('heading', { name: 'Started', exact: true })).toBeVisible();
	await other.close();
});

test('other pages name the lesson whose sandbox they show, and leave it for the one before', async ({ page }) => {
	await page.goto('/controls/sandboxes');
	await page.getByRole('button', { name: 'Sandbox: Default sandbox' }).click();
	await page.getByRole('button', { name: 'New sandbox' }).click();
	await page.waitForURL(/~/);
	const before = new URL(page.url()).pathname.replace(/\/controls.*/, '');
	const bar = page.getByRole('complementary', { name: 'Lesson' });
	await page.getByRole('link', { name: 'Learn', exact: true }).click();
	await page.getByRole('link', { name: 'The whole trip' }).click();
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await expect(page.getByRole('region', { name: 'State of the lesson' })).toBeVisible();
	await expect(bar).toBeHidden();

	await openFromSidebar(page, 'Try it', 'Character Viewer');
	await expect(bar).toContainText('You are in the sandbox of lesson 1: The whole trip.');
	await expectUsable(page);
	await bar.getByRole('link', { name: 'Show lesson' }).click();
	await expect(page.getByRole('region', { name: 'State of the lesson' })).toBeVisible();
	await expect(bar).toBeHidden();
	await page.getByRole('link', { name: 'Tollgate', exact: true }).click();
	await expect(bar).toBeVisible();
	await page.reload();
	await bar.getByRole('link', { name: 'Leave' }).click();
	await expect(page).toHaveURL(new RegExp(`${before}/?$`));
	await expect(bar).toBeHidden();
});
