import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** Opens the companion, below a sandbox's prefix where one is given. */
async function openCompanion(page: Page, prefix = ''): Promise<void> {
	await page.goto(`${prefix}/companion`);
	await expect(page.getByRole('button', { name: 'Open the sign-in window' })).toBeEnabled();
}

/** Opens the window of the service by the button. */
async function openWindow(page: Page, name = 'Open the sign-in window'): Promise<Page> {
	const opened = page.waitForEvent('popup');
	await page.getByRole('button', { name, exact: true }).click();
	return opened;
}

/** Signs a demo person in, as far as the consent page. */
async function signIn(service: Page, username: string): Promise<void> {
	await service.getByRole('button', { name: username }).click();
	await expect(service.locator('button[value=approve]')).toBeVisible();
}

/** How much the page has moved by itself so far: the score of its layout shifts. */
function shifts(page: Page): Promise<number> {
	return page.evaluate(
		() =>
			new Promise<number>((resolve) => {
				let score = 0;
				new PerformanceObserver((list) => {
					for (const entry of list.getEntries()) if ('value' in entry) score += Number(entry.value);
				}).observe({ type: 'layout-shift', buffered: true });
				// What has been drawn is told before the next frame but one.
				requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(score))));
			})
	);
}

/** Something to wait for, and what ends the wait. */
function gate(): { readonly closed: Promise<void>; readonly open: () => void } {
	let open = () => {};
	const closed = new Promise<void>((resolve) => (open = () => resolve()));
	return { closed, open: () => open() };
}

const people = (page: Page) => page.getByRole('list', { name: 'People' });
const steps = (page: Page) => page.getByRole('list', { name: 'Steps of the client' });

test('the code is read off the title of the window, which closes', async ({ page, picture, expectAccessible }) => {
	test.slow(); // axe looks at three states, in light and in dark
	await openCompanion(page);
	await page.getByText('The request, parameter by parameter').click();
	const request = page.locator('dl', { hasText: 'response_type' });
	await expect(request).toContainText('urn:ietf:wg:oauth:2.0:oob');
	await expect(request).not.toContainText('access_type');
	await expect(request).toContainText('code_challenge');
	await expectAccessible();
	await picture('companion-sign-in');
	await page.emulateMedia({ colorScheme: 'dark' });
	await page.setViewportSize({ width: 390, height: 844 });
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
	await picture('companion-sign-in-390-dark');
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.emulateMedia({ colorScheme: null });

	const service = await openWindow(page);
	await signIn(service, 'player-one');
	await expect(page.getByText('Waiting for the window')).toBeVisible();
	await expectAccessible();
	await picture('companion-waiting');
	const exchange = page.waitForRequest(/\/ws\/oauth2\/token\/$/);
	const closed = service.waitForEvent('close');
	await service.locator('button[value=approve]').click();
	await closed;
	const form = new URLSearchParams((await exchange).postData() ?? '');
	expect(form.get('redirect_uri')).toBe('urn:ietf:wg:oauth:2.0:oob');
	expect(form.get('access_type')).toBe('offline');
	expect(form.get('code_verifier')).not.toBeNull();

	await expect(people(page)).toContainText('Offline access');
	await expect(steps(page)).toContainText('Read code from the title of the window, and closed it');
	await expect(steps(page)).toContainText('State is the one this tab made');
	await page.getByRole('button', { name: 'Mara Vell' }).click();
	await expect(page.getByRole('heading', { name: 'Mara Vell' })).toBeVisible();
	await expect(page.getByRole('meter', { name: '/ws/v2.0/character/*' })).toHaveAttribute('aria-valuenow', '599');
	await page.getByRole('button', { name: 'Ask ratelimits' }).click();
	await expect(page.getByRole('table', { name: 'What ratelimits says' })).toContainText('/ws/v2.0/ratelimits');
	await expectAccessible();
	await picture('companion-character');
	await page.emulateMedia({ colorScheme: 'dark' });
	await picture('companion-character-dark');
	await page.emulateMedia({ colorScheme: null });

	await page.reload();
	await expect(people(page)).toContainText('Offline access');
	await page.getByRole('button', { name: 'Sign out' }).click();
	await expect(page.getByText('refresh token and access tokens are dead')).toBeVisible();
});

test('nothing moves when a font comes late, nor while the code is exchanged', async ({ page, context }) => {
	await openCompanion(page);
	const { closed: fontsWait, open: letFonts } = gate();
	await context.route(/\.woff2$/, async (route) => {
		await fontsWait;
		await route.continue();
	});
	const service = await openWindow(page);
	await expect(service.getByRole('button', { name: 'player-one' })).toBeVisible();
	await service.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
	letFonts();
	await service.evaluate(() => document.fonts.ready);
	expect(await shifts(service)).toBe(0);
	await signIn(service, 'player-one');
	expect(await shifts(service)).toBe(0);

	const { closed: answerWaits, open: letAnswer } = gate();
	await page.route(/\/ws\/oauth2\/token\/$/, async (route) => {
		await answerWaits;
		await route.continue();
	});
	const below = page.getByRole('heading', { name: 'The same on the command line' });
	await expect(page.getByText('Waiting for the window')).toBeVisible();
	const before = await below.boundingBox();
	await service.locator('button[value=approve]').click();
	await expect(page.getByText('Exchanging the code', { exact: true })).toBeVisible();
	expect(await below.boundingBox()).toEqual(before);
	letAnswer();
	await expect(people(page)).toBeVisible();
});

for (const width of [1280, 768, 390]) {
	test(`nothing moves from the first press until somebody is signed in, ${String(width)} wide`, async ({
		page,
		picture
	}) => {
		await page.setViewportSize({ width, height: width === 768 ? 1024 : 800 });
		await openCompanion(page);
		await expect(page.getByRole('heading', { name: 'What the client does' })).toBeVisible();
		const signInPanel = page.getByRole('region', { name: 'Sign in', exact: true });
		const gauges = page.getByRole('region', { name: 'Rate limits' });
		const place = async (part: Locator) => {
			const { x, y } = (await part.boundingBox()) ?? {};
			return { x, y };
		};
		const service = await openWindow(page);
		await signIn(service, 'player-one');
		await expect(page.getByText('Waiting for the window')).toBeVisible();
		const [work, limits] = [await place(signInPanel), await place(gauges)];
		await service.locator('button[value=approve]').click();
		await expect(people(page)).toBeVisible();
		await expect(steps(page)).toContainText('Stored the tokens');
		expect(await shifts(page)).toBeLessThan(0.005);
		expect(await place(page.getByRole('region', { name: 'Character' }))).toEqual(work);
		if (width === 1280) expect(await place(gauges)).toEqual(limits);
		await picture(`companion-arrived-${String(width)}`);
	});
}

test('by keyboard: the panel keeps the focus while its content changes', async ({ page }) => {
	await openCompanion(page);
	const panel = page.getByRole('region', { name: 'Sign in', exact: true });
	await page.getByRole('button', { name: 'Bring the code by hand' }).press('Enter');
	await expect(page.getByRole('textbox', { name: 'The code' })).toBeVisible();
	await expect(panel).toBeFocused();
	await page.getByRole('button', { name: 'Cancel' }).press('Enter');
	await expect(page.getByRole('button', { name: 'Open the sign-in window' })).toBeEnabled();
	await expect(panel).toBeFocused();
});

test('the viewer and the companion know nothing of each other’s people', async ({ page }) => {
	await openCompanion(page);
	const service = await openWindow(page);
	await signIn(service, 'player-two');
	await service.locator('button[value=approve]').click();
	await expect(people(page)).toBeVisible();
	await page.goto('/viewer');
	await expect(page.getByRole('button', { name: 'Continue to the service' })).toBeVisible();
	await expect(people(page)).toHaveCount(0);
});

test('the person refuses: said in words, and the next try works', async ({ page }) => {
	await openCompanion(page);
	const first = await openWindow(page);
	await signIn(first, 'player-one');
	const closed = first.waitForEvent('close');
	await first.locator('button[value=deny]').click();
	await closed;
	await expect(page.getByRole('alert')).toContainText('You did not agree');
	const second = await openWindow(page);
	await second.locator('button[value=approve]').click();
	await expect(people(page)).toBeVisible();
});

test('a window that is closed early: another one, with a state of its own', async ({ page }) => {
	await openCompanion(page);
	const first = await openWindow(page);
	await expect(first.getByRole('button', { name: 'player-one' })).toBeVisible();
	const before = new URL(first.url()).searchParams.get('state');
	await first.close();
	await expect(page.getByRole('status').filter({ hasText: 'The window is closed, or out of reach' })).toBeVisible();
	const second = await openWindow(page, 'Open the window again');
	await signIn(second, 'player-one');
	expect(new URL(second.url()).searchParams.get('state')).not.toBe(before);
	await second.locator('button[value=approve]').click();
	await expect(people(page)).toBeVisible();
});

test('a page in the window that carries another state is refused before anything is sent', async ({ page }) => {
	await openCompanion(page);
	const sent: string[] = [];
	page.on('request', (request) => sent.push(new URL(request.url()).pathname));
	const service = await openWindow(page);
	await expect(service.getByRole('button', { name: 'player-one' })).toBeVisible();
	await service.evaluate(() => {
		document.body.innerHTML = '<code id="state">a-state-of-somebody-else</code>';
		document.title = 'Success,code=a-code-of-somebody-else';
	});
	await expect(page.getByRole('alert')).toContainText('This browser did not start that sign-in');
	expect(sent.filter((path) => path.includes('/token'))).toEqual([]);
});

test('the browser blocks the window: the code is brought by hand, and PKCE ties it', async ({
	page,
	context,
	picture,
	expectAccessible
}) => {
	await page.addInitScript(() => (window.open = () => null));
	await openCompanion(page);
	await page.getByRole('button', { name: 'Open the sign-in window' }).click();
	await expect(page.getByRole('status').filter({ hasText: 'The browser did not open a window' })).toBeVisible();
	await expect(page.getByText('What that gives up')).toBeVisible();
	await expectAccessible();
	await picture('companion-by-hand');
	await page.setViewportSize({ width: 390, height: 844 });
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
	await picture('companion-by-hand-390');
	await page.setViewportSize({ width: 1280, height: 800 });

	const opened = context.waitForEvent('page');
	await page.getByRole('link', { name: 'Open the page of the service' }).click();
	const service = await opened;
	await expect(service.getByRole('button', { name: 'player-three' })).toBeVisible();
	expect(await service.evaluate(() => window.opener)).toBeNull();
	await signIn(service, 'player-three');
	await service.locator('button[value=approve]').click();
	const code = await service.locator('#code').innerText();
	expect(await service.title()).toBe(`Success,code=${code}`);

	const field = page.getByLabel('The code');
	await field.fill('not a code');
	await page.getByRole('button', { name: 'Use this code' }).click();
	await expect(page.getByText('That is no code.')).toBeVisible();
	await field.fill(`  Success,code=${code}\n`);
	await page.getByRole('button', { name: 'Use this code' }).click();
	await expect(people(page)).toBeVisible();
	await expect(steps(page)).toContainText('PKCE alone ties it to this sign-in');
	await expect(steps(page)).not.toContainText('State is the one this tab made');
});

test('a code of another sign-in, brought by hand, is refused by the service', async ({ page, context }) => {
	const other = await context.newPage();
	await openCompanion(other);
	await other.getByRole('button', { name: 'Bring the code by hand' }).click();
	const theirs = context.waitForEvent('page');
	await other.getByRole('link', { name: 'Open the page of the service' }).click();
	const service = await theirs;
	await signIn(service, 'player-two');
	await service.locator('button[value=approve]').click();
	const stolen = await service.locator('#code').innerText();

	await openCompanion(page);
	await page.getByRole('button', { name: 'Bring the code by hand' }).click();
	await page.getByLabel('The code').fill(stolen);
	await page.getByRole('button', { name: 'Use this code' }).click();
	await expect(page.getByRole('alert')).toContainText('The code is no good any more');
	await expect(people(page)).toHaveCount(0);
});

test('below a sandbox’s address it belongs to that sandbox', async ({ page, server }) => {
	const made = await server.control('POST', '/control/sandboxes');
	const base_url = /"base_url":"([^"]+)"/.exec(JSON.stringify(made))?.[1] ?? '';
	const { pathname } = new URL(base_url);
	await openCompanion(page, pathname);
	await expect(page.getByRole('group', { name: 'Sign in' })).toContainText(`login --base-url ${base_url}`);
	const service = await openWindow(page);
	await service.waitForURL((url) => url.pathname === `${pathname}/ws/oauth2/auth/`);
	await signIn(service, 'player-one');
	await service.locator('button[value=approve]').click();
	await expect(people(page)).toBeVisible();
	await page.goto('/companion');
	await expect(page.getByRole('button', { name: 'Open the sign-in window' })).toBeEnabled();
	await expect(people(page)).toHaveCount(0);
});
