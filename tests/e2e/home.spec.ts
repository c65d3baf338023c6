import type { Page } from '@playwright/test';
import { createSandbox, hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { layoutShift } from './layout-shift.ts';

test('the home page shows a rejected request, plays the flow without the mistake, and has three doors', async ({
	page,
	server
}) => {
	await page.emulateMedia({ reducedMotion: 'reduce' });
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.goto('/');
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('See both sides of OAuth and rate limiting');
	const demo = page.getByRole('region', { name: 'The authorization code flow' });
	await expect(demo).toContainText('Request rejected');
	await expect(demo).toContainText(/Found\s*…\/viewer\/callback\/\s*Expected\s*…\/viewer\/callback/);
	await expect(demo.getByRole('button', { name: 'Pause animation' })).toBeHidden();
	await hydrated(page);
	for (let step = 0; step < 7; step++) await demo.getByRole('button', { name: 'Next step' }).click();
	await expect(demo).toContainText(/5 of 6\s*requests left/);
	await page.emulateMedia({ reducedMotion: 'no-preference' });
	await demo.getByRole('button', { name: 'Play animation' }).click();
	await expect(demo).toContainText('Request rejected');
	await demo.getByRole('button', { name: 'Pause animation' }).click();

	for (const name of ['Learn', 'Connect your client', 'Teach or demo'])
		await expect(page.getByRole('region', { name, exact: true })).toBeInViewport({ ratio: 1 });
	await expect(page.locator('main .primary')).toHaveText('Try the sign-in flow');
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	const door = page.getByRole('region', { name: 'Connect your client' });
	const copied = () => page.evaluate(() => navigator.clipboard.readText());
	await door.getByRole('button', { name: 'Copy code' }).click();
	await expect(page.getByText('Copied code')).toBeAttached();
	expect(await copied()).toBe('npx tollgate as github,google \\\n  -- npm run dev');
	await door.getByRole('button', { name: 'GitHub', pressed: true }).click();
	await door.getByRole('button', { name: /^\d+ more$/ }).click();
	await page.getByRole('group', { name: 'more' }).getByLabel('Slack').check();
	await page.getByRole('button', { name: 'Done' }).click();
	await expect(door).toContainText('npx tollgate as google,slack');
	await page.reload();
	await expect(door).toContainText('npx tollgate as google,slack');
	for (const name of ['Google', 'Slack']) await door.getByRole('button', { name, pressed: true }).click();
	await door.getByRole('button', { name: 'Copy base URL' }).click();
	await expect(page.getByText('Copied base URL')).toBeAttached();
	expect(await copied()).toBe(server.origin);
	await door.getByRole('button', { name: 'Google', pressed: false }).click();
	await door.getByRole('link', { name: 'I only need URLs' }).click();
	await expect(page).toHaveURL(/\/providers\?provider=google&connect=urls$/);
	await expect(page.getByRole('group', { name: 'Code' })).toContainText(`${server.origin}/as/google/token`);
});

test('one door of the sidebar is open, that of the page, and arrows open and close it', async ({ page }) => {
	await page.goto('/console');
	await hydrated(page);
	const sidebar = page.getByRole('navigation', { name: 'Main' });
	const names = () => sidebar.getByRole('link').allInnerTexts();
	const door = (name: string) => sidebar.getByRole('button', { name });
	await expect(door('Connect your client')).toHaveAttribute('aria-expanded', 'true');
	expect(await names()).toEqual([
		'Tollgate',
		...['Applications', 'Request builder', 'Exam', 'Agents', 'Providers'],
		...['Inspector', 'Documentation']
	]);
	await door('Connect your client').focus();
	await page.keyboard.press('ArrowLeft');
	await expect(door('Connect your client')).toHaveAttribute('aria-expanded', 'false');
	await page.keyboard.press('ArrowDown');
	await expect(door('Teach or demo')).toBeFocused();
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('ArrowDown');
	await expect(sidebar.getByRole('link', { name: 'Guided demo' })).toBeFocused();
	await door('Learn').click();
	await expect(door('Teach or demo')).toHaveAttribute('aria-expanded', 'false');
	await sidebar.getByRole('link', { name: 'Character Viewer' }).click();
	await expect(page).toHaveURL('/viewer');
	await expect(sidebar.getByRole('link', { name: 'Character Viewer' })).toHaveAttribute('aria-current', 'page');
});

test('search finds a page by what its group was called before', async ({ page }) => {
	await page.goto('/');
	await hydrated(page);
	await page.keyboard.press('Control+k');
	await page.getByRole('combobox').fill('controls faults');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL('/controls/faults');
	await page.getByRole('link', { name: /^Sandbox time \d\d:\d\d:\d\d$/ }).click();
	await expect(page).toHaveURL('/controls');
});

test('the palette runs a command, opens a page, and takes every key', async ({ page }) => {
	await page.emulateMedia({ colorScheme: 'light' });
	await page.goto('/');
	const search = page.getByRole('combobox', { name: 'Search pages and commands' });
	await hydrated(page);
	await page.keyboard.press('Control+k');
	await page.keyboard.type('gv support'); // at once: no key is lost, and none is a shortcut
	await expect(search).toHaveValue('gv support');
	await expect(page).toHaveURL('/');
	await search.fill('xyzzy');
	await expect(page.getByText('No results for “xyzzy”')).toBeVisible();
	await search.fill('dark');
	await search.evaluate(async (input) => {
		const press = (target: Element, key: string, ctrlKey: boolean) =>
			target.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true }));
		press(input, 'Enter', false);
		await Promise.resolve(); // the palette is closed, and its close event is still to come
		press(document.body, 'k', true);
	});
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
	await search.fill('viewer');
	await search.press('Enter');
	await expect(page).toHaveURL('/viewer');
});

test(
	'a theme is applied before any script, on pages of the service and in other tabs',
	{ tag: '@nightly' },
	async ({ page, context }) => {
		const choose = async (tab: Page, name: string) => {
			await tab.goto('/');
			await hydrated(tab);
			await tab.getByRole('button', { name: 'Theme' }).click();
			await tab.locator('header label', { has: tab.getByRole('radio', { name }) }).click();
		};
		await choose(page, 'Dark');
		await page.goto('/viewer', { waitUntil: 'commit' });
		await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
		await page.goto('/account');
		await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
		await page.getByRole('link', { name: 'Character Viewer' }).click();
		await choose(await context.newPage(), 'Light');
		await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
	}
);

test(
	'the shortcuts of a page are listed and can be turned off, but for that of the palette',
	{ tag: '@nightly' },
	async ({ page }) => {
		await page.goto('/viewer');
		await hydrated(page);
		await expect(page.getByRole('button', { name: 'Sign in with Tollgate' })).toBeVisible();
		await page.keyboard.press('?');
		const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
		await expect(shortcuts).toContainText('Sign in a user');
		await expect(shortcuts).not.toContainText('Look up a character');
		await shortcuts.getByRole('switch', { name: 'Single-key shortcuts' }).click();
		await page.keyboard.press('Escape');
		await page.keyboard.press('?');
		await page.keyboard.press('Control+k');
		await expect(page.getByRole('combobox', { name: 'Search pages and commands' })).toBeVisible();
		await expect(shortcuts).toBeHidden();
	}
);

test('the links of a sandbox stay in it, and a missing page leads home', async ({ page, server }) => {
	const prefix = await createSandbox(server);
	await page.goto(`${prefix}/`);
	const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
	for (const link of await links.all()) expect(await link.getAttribute('href')).toContain(`${prefix}/`);
	expect((await page.goto('/nothing/here'))?.status()).toBe(404);
	await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
	await page.getByRole('link', { name: 'Go home' }).click();
	await expect(page).toHaveURL('/');
});

test('a link to the home page has a preview with title, description and image', async ({ page, server }) => {
	await page.goto('/');
	const preview = (property: string) => page.locator(`meta[property="og:${property}"]`).getAttribute('content');
	expect(await preview('site_name')).toBe('Tollgate');
	expect(await preview('title')).toBe(await page.title());
	expect(await preview('description')).toMatch(/^A simulated OAuth 2\.0 provider/);
	expect(await preview('image')).toBe(`${server.origin}/icon-512.png`);
	expect((await page.request.get(`${server.origin}/icon-512.png`, { ignoreHTTPSErrors: true })).status()).toBe(200);
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	test('the home page is complete, and the demo clients say what works', async ({ page }) => {
		await page.goto('/');
		await expect(page.getByRole('region', { name: 'The authorization code flow' })).toContainText('Request rejected');
		await expect(page.getByRole('link', { name: 'Pocket Companion' })).toBeVisible();
		await expect(page.locator('button:visible')).toHaveCount(0);
		await page.getByRole('link', { name: 'Try the sign-in flow' }).click();
		for (const path of ['/viewer', '/companion']) {
			await page.goto(path);
			await expect(page.locator('noscript p').first()).toContainText('JavaScript is disabled');
			await expect(page.getByText('Loading')).toBeHidden();
		}
		await page.locator('noscript').getByRole('link', { name: 'account' }).click();
		await page.getByRole('button', { name: 'player-one' }).click();
		await expect(page.getByText('player-one').first()).toBeVisible();
		await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
	});
});

test('no text moves when the fonts arrive, early or late', async ({ page }) => {
	await page.setViewportSize({ width: 412, height: 823 });
	const open = async (path: string, isLate: boolean) => {
		let deliver = () => {};
		const isDue = isLate ? new Promise<void>((resolve) => (deliver = resolve)) : undefined;
		await page.route('**/*.woff2', async (route) => {
			await isDue;
			await route.continue();
		});
		const arrived = page.waitForResponse('**/geist-latin-wght-normal.*.woff2');
		await page.goto(path, { waitUntil: 'domcontentloaded' });
		await hydrated(page);
		deliver();
		await (await arrived).finished();
		await expect.poll(() => page.evaluate(() => document.fonts.status)).toBe('loaded');
		expect(await layoutShift(page), path).toBe(0);
		await page.unroute('**/*.woff2');
	};
	for (const path of ['/', '/learn']) for (const isLate of [true, false]) await open(path, isLate);
});
