import { expect, test } from './fixtures.ts';
import { startLesson } from './learn.ts';
test('shots', async ({ page, server }) => {
	await startLesson(page, 'The whole trip');
	await page.getByRole('link', { name: 'Character Viewer' }).click();
	const bar = page.getByRole('complementary', { name: 'Lesson' });
	await expect(bar).toBeVisible();
	const home = new URL(page.url()).pathname.replace(/\/viewer.*/, '');
	await page.evaluate(async (home) => {
		await fetch(`${home}/control/clock`, { method: 'POST', body: '{"advance":7500}', headers: { 'content-type': 'application/json' } });
		await fetch(`${home}/control/faults`, { method: 'POST', body: '{"kind":"drop","endpoint":"revoke"}', headers: { 'content-type': 'application/json' } });
	}, home);
	await page.reload();
	await expect(page.getByRole('complementary', { name: 'Clock' })).toBeVisible();
	await expect(bar).toBeVisible();
	await page.screenshot({ path: '/tmp/uxbugs-1280.png' });
	await page.emulateMedia({ colorScheme: 'dark' });
	await page.setViewportSize({ width: 390, height: 844 });
	await page.screenshot({ path: '/tmp/uxbugs-390.png' });
	await page.goto(`${home}/account`);
	await page.screenshot({ path: '/tmp/uxbugs-account-390.png' });
});
