import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { allow, chooseAccount, hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { goOn, lookUp, openLesson, predict, startLesson, stateOf, stepIsDone } from './learn.ts';
import { expectUsable } from './reflow.ts';
import { openFromSidebar } from './sidebar.ts';
import { lessonIds } from '../nightly/pages/lessons.ts';

const title = 'Authorization code flow';

/** Where Back and Next are, and that the window does not scroll. */
async function expectStill(page: Page): Promise<string> {
	const [scroll, height, width] = await page.evaluate(() => {
		scrollTo(0, 500);
		return [scrollY, document.documentElement.scrollHeight, document.documentElement.scrollWidth];
	});
	expect([scroll, height, width]).toEqual([0, 800, 1280]);
	const boxes = [stateOf(page).getByRole('button', { name: 'Back', exact: true }), stateOf(page).locator('.next')];
	return JSON.stringify(await Promise.all(boxes.map((box) => box.boundingBox())));
}

test('a lesson is predicted, done, compared and completed in one window', async ({ page }) => {
	await openLesson(page, title);
	const state = stateOf(page);
	const covered = ['The browser carries a code', 'The service issued a code', 'Look up Mara Vell', 'A code first'];
	const expectCovered = async () => {
		for (const text of covered) expect(await page.content()).not.toContain(text);
	};
	const place = await expectStill(page);
	await expectCovered();
	await page.getByRole('button', { name: 'consent page' }).click();
	await expect(page.getByText('lists what an application asks for')).toBeVisible();
	await expectAccessible(page);

	await startLesson(page);
	const url = page.url();
	await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
	await expectCovered();
	expect(await expectStill(page)).toBe(place);
	await page.keyboard.press('2');
	await expect(page.getByRole('radio', { name: 'The access token' })).toBeChecked();
	await expectAccessible(page, 'main');
	await page.keyboard.press('Enter');

	// The sign-in leaves the page for the service, and comes back to the step.
	await expect(state).toContainText('Step 1 of 2');
	await expect(state.locator('.next')).toBeDisabled();
	expect(await expectStill(page)).toBe(place);
	await expectAccessible(page, 'main');
	await page.getByRole('button', { name: 'Sign in with Tollgate' }).click();
	await chooseAccount(page, 'player-one');
	await allow(page);
	await page.waitForURL(url);
	await stepIsDone(page);
	expect(await expectStill(page)).toBe(place);
	await page.keyboard.press('Alt+ArrowRight');
	await expect(state).toContainText('Step 2 of 2');
	await lookUp(page);
	await stepIsDone(page);
	await expect(state.getByRole('link', { name: 'Show the exchange of step 2' })).toHaveAttribute('href', /request=/);
	await expectAccessible(page, 'main');
	expect(await expectStill(page)).toBe(place);

	await goOn(page);
	await expect(state).toContainText('Right: A short-lived code and the state.');
	await expect(state).toContainText('Not as you expected.');
	await expect(page.getByRole('region', { name: 'Your prediction' })).toContainText('#access_token=…');
	await expect(page.getByRole('region', { name: 'What the service sent' })).toContainText('?code=…&state=…');
	expect(await expectStill(page)).toBe(place);
	await expectAccessible(page, 'main');

	await goOn(page);
	const message = (name: RegExp) => page.getByRole('button', { name });
	await message(/GET character/).click();
	await expect(page.getByRole('heading', { name: 'Not this one' })).toBeVisible();
	await message(/^Authorization server to Application: 200/).click();
	await expect(page.getByRole('heading', { name: 'Correct' })).toBeVisible();
	expect(await expectStill(page)).toBe(place);
	await expectAccessible(page, 'main');

	await goOn(page);
	await expect(page.getByRole('heading', { name: 'Proven by your requests' })).toBeVisible();
	await expect(page.getByText(`1 of ${lessonIds.length} lessons complete`)).toBeVisible();
	expect(await expectStill(page)).toBe(place);
	await expectAccessible(page, 'main');
	for (const width of [390, 320, 195]) {
		await page.setViewportSize({ width, height: 844 });
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
	}
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.reload();
	await expect(state).toContainText('Lesson complete');

	// A reset opens it again, signs the users out, and keeps what is recorded.
	await page.getByRole('button', { name: 'Reset lesson' }).click();
	await expect(state).toContainText('In short');
	await goOn(page);
	await expect(page.getByText('The first prediction counts.')).toBeVisible();
	await goOn(page);
	await expect(page.getByRole('button', { name: 'Sign in with Tollgate' })).toBeVisible();
	await expect(state.locator('.next')).toBeDisabled();
	for (const path of ['/learn', '/learn/progress', '/learn/certificate']) {
		await page.goto(path);
		await expect(page.getByText(path === '/learn' ? 'Completed' : 'Completed on').first()).toBeVisible();
		await expectUsable(page);
		await expect(page.getByRole('link', { name: new RegExp(`^Lessons\\s*1/${lessonIds.length}$`) })).toBeVisible();
	}
});

test('what Tollgate does is not recorded as shown by the learner', { tag: '@nightly' }, async ({ page }) => {
	await openLesson(page, title);
	await startLesson(page);
	await page.getByRole('button', { name: 'Continue without a prediction' }).click();
	await page.getByRole('button', { name: 'Hint' }).click();
	// The hint of a step without a prediction is what is missing, which is said once.
	await expect(stateOf(page).getByText('No user has allowed access yet')).toHaveCount(1);
	// A sign-in has no single request to show.
	await expect(page.getByRole('button', { name: 'Show the request' })).toHaveCount(0);
	await expectAccessible(page);
	await page.getByRole('button', { name: 'Do it for me' }).press('Enter');
	await stepIsDone(page);
	// The button is gone.
	await expect(stateOf(page)).toBeFocused();
	// It does one step.
	await expect(page.getByRole('button', { name: 'Done', exact: true })).toBeDisabled();
	await page.getByRole('button', { name: 'Next', exact: true }).click();
	await page.getByRole('button', { name: 'Hint' }).click();
	await page.getByRole('button', { name: 'Do it for me' }).press('Enter');
	await page.getByRole('button', { name: 'Done', exact: true }).click();
	await expect(stateOf(page)).toContainText('Done by Tollgate');
	await page.goto('/learn/certificate');
	await expect(page.getByText('Nothing is completed yet')).toBeVisible();
});

test(
	'a sandbox that is gone is made again, and progress can be moved to another browser',
	{ tag: '@nightly' },
	async ({ page, browser }) => {
		await openLesson(page, title);
		await startLesson(page);
		const gone = page.url();
		await predict(page, 'I don’t know');
		await expect(stateOf(page)).toContainText('Step 1 of 2');
		await page.evaluate(
			(base) => fetch(`${base}/control/sandbox`, { method: 'DELETE' }),
			gone.replace(/\/learn.*/, '')
		);
		// Opening a page creates nothing.
		await page.goto(gone);
		await page.getByRole('button', { name: 'Start again' }).click();
		await page.waitForURL((url) => /~.*\/learn\/whole-trip$/.test(url.href) && url.href !== gone);
		await expect(page.getByText('The sandbox of this lesson was gone, so there is a new one')).toBeVisible();
		await expect(stateOf(page)).toContainText('Step 1 of 2');

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
	}
);

test(
	'a lesson is left for the sandbox from before, and other pages name the lesson',
	{ tag: '@nightly' },
	async ({ page }) => {
		await page.goto('/controls/sandboxes');
		await page.getByRole('button', { name: 'Sandbox: Default sandbox' }).click();
		await page.getByRole('button', { name: 'New sandbox' }).click();
		await page.waitForURL(/~/);
		await hydrated(page);
		const before = new URL(page.url()).pathname.replace(/\/controls.*/, '');
		const bar = page.getByRole('complementary', { name: 'Lesson' });
		await openFromSidebar(page, 'Learn', 'Lessons');
		await page.getByRole('link', { name: title }).click();
		await startLesson(page);
		await expect(bar).toBeHidden();
		const lesson = page.url();

		await page.goto(lesson.replace(/\/learn.*/, '/viewer'));
		await expect(bar).toContainText(`You are in the sandbox of lesson 1: ${title}.`);
		await expectUsable(page);
		await bar.getByRole('link', { name: 'Show lesson' }).click();
		await expect(stateOf(page)).toBeVisible();
		await expect(bar).toBeHidden();
		await page.getByRole('link', { name: 'Leave' }).click();
		await expect(page).toHaveURL(new RegExp(`${before}/learn/?$`));
		await expect(bar).toBeHidden();
	}
);
