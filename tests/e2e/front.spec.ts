import { expect, test } from './fixtures.ts';
import { signIn } from './viewer-walk.ts';

test('the front page says what it is, starts the flow with one button, and fits a phone', async ({
	page,
	picture,
	expectAccessible,
	server
}) => {
	await page.goto('/');
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('OAuth and rate limits, seen from both ends.');
	await expect(page.getByText(server.origin, { exact: true }).first()).toBeVisible();
	await expectAccessible();
	await picture('front');
	await page.setViewportSize({ width: 390, height: 844 });
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
	await picture('front-390');
	await page.getByRole('link', { name: 'Walk through a sign-in' }).click();
	await expect(page).toHaveURL('/viewer');
});

test('the page is painted before any of its scripts is asked for', async ({ page }) => {
	// Without the page's way out for a browser that paints late: a slow machine would take it.
	await page.addInitScript(() => {
		const setLater = window.setTimeout.bind(window);
		Object.assign(window, {
			setTimeout: (run: () => void, delay?: number) => (delay === 1000 ? 0 : setLater(run, delay))
		});
	});
	await page.goto('/');
	const scripts = () =>
		page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length);
	await expect.poll(scripts).toBeGreaterThan(0);
	const [paint, script] = await page.evaluate(() => [
		performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime),
		performance.getEntriesByType('resource').flatMap(({ name, startTime }) => (name.endsWith('.js') ? startTime : []))
	]);
	expect(Math.min(...script)).toBeGreaterThanOrEqual(Math.max(...paint));
	expect(paint).toHaveLength(1);
});

test('what the server wrote is taken up part by part, and not drawn again', async ({ page }) => {
	const said: string[] = [];
	page.on('console', (message) => said.push(message.text()));
	await page.addInitScript(() => {
		addEventListener('DOMContentLoaded', () => {
			const written = document.querySelectorAll('.later :not(button *)');
			Object.assign(window, {
				drawnAgain: () => [...written].filter((one) => !one.isConnected).map((one) => one.tagName)
			});
			Object.assign(window, { written: written.length });
		});
	});
	await page.goto('/');
	// Parts of the page and of its frame; a button that is pressed may change its icon.
	await page.getByRole('button', { name: 'Pause the miniature' }).click();
	await expect(page.getByRole('button', { name: 'Play the miniature' })).toBeVisible();
	await page.setViewportSize({ width: 390, height: 844 });
	await page.getByRole('button', { name: 'More' }).click();
	await page.getByRole('link', { name: 'Support' }).hover();
	expect(await page.evaluate('written')).toBeGreaterThan(100);
	expect(await page.evaluate('drawnAgain()')).toEqual([]);
	expect(said).toEqual([]);
});

test('what is pressed before the scripts have come is done once they are there, once', async ({ page }) => {
	/** Opens the front page, and lets its scripts come only after something has been pressed. */
	const early = async (press: () => Promise<void>) => {
		let letScripts = () => {};
		const wait = new Promise<void>((resolve) => (letScripts = resolve));
		await page.route(/\.js$/, async (route) => {
			await wait;
			await route.continue();
		});
		await page.goto('/', { waitUntil: 'commit' });
		await press();
		letScripts();
		await expect(page.locator('[data-waits]')).toHaveCount(0);
		await page.unroute(/\.js$/);
	};
	const [search, keys] = [
		page.getByRole('button', { name: 'Search' }),
		page.getByRole('button', { name: 'Show all keys' })
	];
	await early(() => search.click());
	await expect(page.getByRole('dialog')).toHaveCount(1);
	await expect(page.getByRole('combobox')).toBeFocused();

	// Of several the last one: nobody wants two panels.
	await early(async () => {
		await search.click();
		await keys.click();
	});
	await expect(page.getByRole('dialog', { name: /keys/i })).toBeVisible();
	await expect(page.getByRole('dialog')).toHaveCount(1);
	await page.keyboard.press('Escape');
	await expect(page.getByRole('dialog')).toHaveCount(0);

	await early(() => page.getByRole('button', { name: 'Pause the miniature' }).click());
	await expect(page.getByRole('button', { name: 'Play the miniature' })).toBeVisible();

	await early(() => page.getByTitle('Dark', { exact: true }).click());
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
	await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
	await expect(page.locator('[data-pressed]')).toHaveCount(0);
});

test('the miniature plays by itself, pauses, and holds still where motion is not wanted', async ({ page }) => {
	const picture = page.getByRole('region', { name: 'One flow, both ends' });
	const left = picture.locator('.number strong');
	await page.emulateMedia({ reducedMotion: 'reduce' });
	await page.goto('/');
	await expect(left).toHaveText('5');
	await expect(picture.getByRole('button', { name: 'Pause the miniature' })).toBeHidden();
	await picture.getByRole('button', { name: 'Next moment' }).click();
	await picture.getByRole('button', { name: 'Next moment' }).click();
	await expect(left).toHaveText('4');
	// What it tells stands for less than a look at it takes, now and then: the page itself notes what has stood there.
	await page.addInitScript(() => {
		const told = new Set<string>();
		const note = () => {
			for (const { textContent } of document.querySelectorAll('.number strong')) told.add(textContent);
		};
		new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
		Reflect.set(window, 'told', () => [...told].slice(0, 3));
	});
	await page.emulateMedia({ reducedMotion: 'no-preference' });
	await page.reload();
	await expect.poll(() => page.evaluate('told()')).toEqual(['5', '4', '3']);
	await picture.getByRole('button', { name: 'Pause the miniature' }).click();
	await expect(picture.getByRole('button', { name: 'Play the miniature' })).toBeVisible();
});

test('a chosen theme is there before the first paint, and in the next tab', async ({ page, context }) => {
	await page.emulateMedia({ colorScheme: 'light' });
	await page.goto('/');
	const dark = page.getByRole('radio', { name: 'Dark' });
	await expect(page.getByRole('radio', { name: 'As the system' })).toBeChecked();
	await page.locator('label', { has: dark }).click();
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark'); // once the scripts are there
	await page.reload({ waitUntil: 'commit' });
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
	await expect(dark).toBeChecked();
	const other = await context.newPage();
	await other.goto('/viewer');
	await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark');
	await other.locator('label', { has: other.getByRole('radio', { name: 'Light' }) }).click();
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('a key is offered while it does something: / once there is a character to find', async ({ page }) => {
	const list = page.getByRole('dialog', { name: 'Keys' });
	for (const path of ['/companion', '/viewer']) {
		await page.goto(path);
		await expect(page.getByRole('heading', { name: 'What the client does' })).toBeVisible();
		await page.keyboard.press('?');
		await expect(list).toContainText('Sign in somebody');
		await expect(list).not.toContainText('Find a character');
		await page.keyboard.press('Escape');
	}
	await signIn(page, 'player-one');
	await page.keyboard.press('/');
	await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
});

test('palette and keys: search, go, list, switch off', async ({ page, expectAccessible }) => {
	await page.goto('/');
	const search = page.getByRole('combobox', { name: 'Search everything' });
	await page.getByRole('button', { name: 'Search', exact: true }).click();
	await expect(search).toBeVisible();
	await search.fill('no such thing');
	await expect(page.getByText('Nothing has that name.')).toBeVisible();
	await expectAccessible();
	await search.fill('viewer');
	await expect(page.getByRole('option')).toHaveCount(1);
	await expectAccessible();
	await search.press('Enter');
	await expect(page).toHaveURL('/viewer');
	await expect(async () => {
		await page.keyboard.press('g');
		await page.keyboard.press('h');
		await expect(page).toHaveURL('/', { timeout: 1000 });
	}).toPass(); // two keys are one shortcut only when the second comes soon
	await page.keyboard.press('?');
	const list = page.getByRole('dialog', { name: 'Keys' });
	await expect(list).toContainText('Character Viewer');
	await expectAccessible();
	await list.getByRole('switch', { name: 'Keys without Ctrl or ⌘' }).click();
	await page.keyboard.press('Escape');
	await expect(list).toBeHidden();
	await page.keyboard.press('?');
	await page.keyboard.press('Control+k');
	await expect(search).toBeVisible();
	await expect(list).toBeHidden();
});

test('below a sandbox every link stays in it', async ({ page, server }) => {
	const made = JSON.stringify(await server.control('POST', '/control/sandboxes'));
	const id = /"id":"([^"]+)"/.exec(made)?.[1] ?? '';
	await page.goto(`/~${id}/`);
	const start = page.getByRole('link', { name: 'Walk through a sign-in' });
	await expect(start).toHaveAttribute('href', `/~${id}/viewer`);
	for (const link of await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link').all())
		expect(await link.getAttribute('href')).toContain(`/~${id}/`);
});

test('a page that is not there says so, and the style guide is not in a build', async ({ page, expectAccessible }) => {
	for (const path of ['/nothing/here', '/styleguide']) {
		const response = await page.goto(path);
		expect(response?.status()).toBe(404);
		await expect(page.getByRole('heading', { name: 'No page here' })).toBeVisible();
	}
	await expectAccessible();
	await page.getByRole('link', { name: 'Go to the start' }).click();
	await expect(page).toHaveURL('/');
});

test('the service’s own pages: readable in both themes and on a phone', async ({ page, picture, expectAccessible }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	for (const name of ['account', 'applications', 'support']) {
		await page.goto(`/${name}`);
		await expect(page.locator('main.card')).toBeVisible();
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
		await expectAccessible();
		await picture(`service-${name}-390`);
	}
});
