import { expect, test } from './fixtures.ts';
import { expectStep, openViewer, show, signIn } from './viewer-walk.ts';

test('a reload finds the log as it was, to its last step; what was cleared stays cleared', async ({
	page,
	context
}) => {
	const steps = page.getByRole('list', { name: 'Steps of the client' }).locator('li > .what');
	await openViewer(page);
	await signIn(page, 'player-one');
	await show(page, 'Mara Vell');
	await expectStep(page, '200 from /ws/v2.0/character/Mara%20Vell');
	await page.getByRole('switch', { name: 'Cache' }).uncheck();
	const answer = page.waitForResponse(/Zo%C3%AB/);
	await show(page, 'Zoë Šťastná');
	await answer;
	await expect(page.getByRole('heading', { name: 'Zoë Šťastná' })).toBeVisible();
	await page.reload(); // before anything else can have been written
	await expectStep(page, '200 from /ws/v2.0/character/Zo%C3%AB');
	await expectStep(page, '200 from /ws/v2.0/character/Mara%20Vell');
	await expectStep(page, 'Leaving for the service');
	await page.getByRole('button', { name: 'Clear' }).click();
	await page.reload();
	await expectStep(page, 'Made a state');
	await expect(steps.filter({ hasText: 'Mara' })).toHaveCount(0);

	const other = await context.newPage();
	await openViewer(other);
	await expect(other.getByRole('list', { name: 'Steps of the client' })).not.toContainText('Leaving for the service');
	expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/viewer-secret|code_verifier":"/);
});

for (const width of [1280, 390]) {
	test(`read at its end, ${String(width)} wide, the page stands still when the log gets its first step`, async ({
		page
	}) => {
		await page.setViewportSize({ width, height: 800 });
		await openViewer(page);
		await expectStep(page, 'Made a state for the next sign-in');
		await page.getByRole('button', { name: 'Clear' }).click();
		await expect(page.getByText('Nothing yet')).toBeVisible();
		await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
		const button = page.getByRole('button', { name: 'Continue to the service' });
		const before = await button.boundingBox();
		// Back from the service without a new load: the next sign-in gets a state of its own.
		await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
		await expectStep(page, 'Made a state for the next sign-in');
		expect(await button.boundingBox()).toEqual(before);
	});
}

test('a log that was cleared can be brought back', async ({ page, picture, expectAccessible }) => {
	await openViewer(page);
	await expectStep(page, 'Made a state for the next sign-in');
	await page.getByRole('button', { name: 'Clear' }).click();
	await expect(page.getByText('Nothing yet')).toBeVisible();
	const message = page.getByRole('region', { name: 'Messages' });
	await expect(message).toContainText('The log is cleared');
	await message.getByRole('button', { name: 'Undo' }).hover(); // it stays while somebody points at it
	await expectAccessible();
	await picture('viewer-log-cleared');
	await message.getByRole('button', { name: 'Undo' }).click();
	await expectStep(page, 'Made a state for the next sign-in');
	await expect(page.getByText('The log is cleared')).toHaveCount(0);
	await page.getByRole('button', { name: 'Clear' }).click();
	await page.keyboard.press('m');
	await page.keyboard.press('Enter');
	await expectStep(page, 'Made a state for the next sign-in');
});

test('a message that comes while the page is out of sight waits until somebody looks', async ({ page }) => {
	await page.clock.install();
	await openViewer(page);
	await expectStep(page, 'Made a state for the next sign-in');
	const turn = (hidden: boolean) =>
		page.evaluate((value) => {
			Object.defineProperty(document, 'hidden', { value, configurable: true });
			document.dispatchEvent(new Event('visibilitychange'));
		}, hidden);
	const message = page.getByRole('region', { name: 'Messages' });
	await turn(true);
	await page.getByRole('button', { name: 'Clear' }).dispatchEvent('click'); // nobody points at the page
	await expect(message).toContainText('The log is cleared');
	await page.clock.fastForward(60_000);
	await expect(message).toContainText('The log is cleared');
	await turn(false);
	await page.clock.fastForward(11_000);
	await expect(message).toHaveCount(0);
});
