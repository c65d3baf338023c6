import {
	characterGauge,
	countRequests,
	events,
	lookUp,
	openViewer,
	rateLimitsGauge,
	showCharacter,
	signIn,
	signInTwoUsers,
	users
} from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

test('a reload restores the users, the preferences, the gauges, the character and the log', async ({
	page,
	context
}) => {
	await signInTwoUsers(page);
	const first = users(page).getByRole('listitem').first().getByRole('button').first();
	await first.click();
	const label = page.getByRole('textbox', { name: 'Label' });
	await label.fill('Zoë’s player');
	await label.press('Enter');
	await showCharacter(page, 'Mara Vell');
	await page.getByRole('button', { name: 'Watch', exact: true }).click();
	await page.getByRole('switch', { name: 'Throttle requests' }).uncheck();
	await page.getByText('Query', { exact: true }).click();

	// Another tab reads the same storage, so it shows when the preferences are stored.
	const other = await context.newPage();
	await expect(async () => {
		await openViewer(other);
		await expect(other.getByRole('switch', { name: 'Throttle requests' })).not.toBeChecked({ timeout: 1000 });
		await expect(other.getByRole('radio', { name: 'Query' })).toBeChecked({ timeout: 1000 });
	}).toPass();
	await page.reload();
	await expect(users(page)).toContainText('Zoë’s player');
	await expect(first).toHaveAttribute('aria-pressed', 'true');
	await expect(page.getByRole('switch', { name: 'Throttle requests' })).not.toBeChecked();
	await expect(page.getByRole('radio', { name: 'Query' })).toBeChecked();
	await expect(characterGauge(page)).toHaveAttribute('aria-valuenow', '599');
	await expect(page.getByRole('list', { name: 'Watched characters' })).toContainText('Mara Vell');
	await expect(page.getByRole('heading', { name: 'Mara Vell' })).toBeVisible();
	await expect(page.getByText('Cached ')).toBeVisible();
	await expect(events(page)).toContainText('GET /ws/v2.0/character/Mara Vell');
	await other.getByRole('switch', { name: 'Throttle requests' }).check();
	await expect(page.getByRole('switch', { name: 'Throttle requests' })).toBeChecked();

	const revocation = page.waitForResponse(/\/ws\/oauth2\/revoke\?/);
	await page.getByRole('button', { name: 'Sign out' }).click();
	expect((await revocation).status()).toBe(200);
	await expect(users(page).getByRole('listitem')).toHaveCount(1);
	await expect(users(other).getByRole('listitem')).toHaveCount(1);
	const elsewhere = 'Zoë’s player was signed out in another tab';
	await expect(other.getByRole('region', { name: 'Notifications' })).toContainText(elsewhere);
	await expect(page.getByText(elsewhere)).toHaveCount(0);
	await page.getByRole('button', { name: 'Sign out' }).click();
	await expect(page.getByRole('button', { name: 'Sign in with Tollgate' })).toBeVisible();
});

test('a cleared log can be restored, and stays cleared after a reload', { tag: '@nightly' }, async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one');
	const exchange = 'POST /ws/oauth2/token/';
	await expect(events(page)).toContainText(exchange);
	await expect(rateLimitsGauge(page)).toBeVisible(); // the last response
	await page.getByRole('button', { name: 'Clear log' }).click();
	await expect(page.getByText('No activity yet')).toBeVisible();
	await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click();
	await expect(events(page)).toContainText(exchange);
	await page.getByRole('button', { name: 'Clear log' }).click();
	await page.reload();
	await expect(rateLimitsGauge(page)).toBeVisible();
	await expect(page.getByRole('region', { name: 'Client log' })).not.toContainText(exchange);
});

test('40 requests in two tabs with an expired token cause one refresh', async ({ page, context, server }) => {
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	const other = await context.newPage();
	await openViewer(other);
	const refreshes = countRequests(context, '/ws/oauth2/token/');
	await server.control('POST', '/control/clock', { advance: 4000 });
	const names = ['Mara Vell', "Tomas d'Arc", 'Zoë Šťastná', 'Half/Life', '100% Orc'];
	for (const tab of [page, other]) {
		for (const name of names) await expect(tab.getByRole('button', { name, exact: true })).toBeEnabled();
		await tab.evaluate((list) => {
			const buttons = [...document.querySelectorAll('button')].filter(({ textContent }) =>
				list.includes(textContent.trim())
			);
			for (let round = 0; round < 4; round += 1) for (const button of buttons) button.click();
		}, names);
	}
	for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: '100% Orc' })).toBeVisible();
	await expect(users(page)).toContainText('1 time');
	expect(refreshes()).toBe(1);
});

test(
	'the application continues while the user is away, and stops after the user revokes access',
	{ tag: '@nightly' },
	async ({ page, context }) => {
		await openViewer(page);
		await signIn(page, 'player-one', { offline: true });
		await page.getByRole('button', { name: 'Simulate user away' }).click();
		await expect(page.getByText('looked up a character 1 time')).toBeVisible();
		const account = await context.newPage();
		await account.goto('/account');
		await account.getByRole('button', { name: 'player-one' }).click();
		await account.getByText('Revoke access…').click();
		await account.getByRole('button', { name: 'Revoke access', exact: true }).click();
		await expect(account.getByText('You revoked access for Character Viewer.')).toBeVisible();
		await page.getByRole('button', { name: 'Refresh now' }).click();
		await expect(users(page)).toContainText('Access revoked');
		await expect(page.getByRole('button', { name: 'User is back' })).toBeHidden();
		const requests = countRequests(page, '/ws/');
		await page.getByRole('button', { name: 'Mara Vell', exact: true }).click();
		await expect(page.getByRole('button', { name: 'Sign in again' }).first()).toBeVisible();
		expect(requests()).toBe(0);
	}
);

test(
	'online access ends with the token, and signing in again keeps the user',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await openViewer(page);
		await signIn(page, 'player-two');
		await server.control('POST', '/control/clock', { advance: 4000 });
		await lookUp(page, 'Half/Life');
		await expect(users(page)).toContainText('Expired');
		await expect(page.getByRole('button', { name: 'Start load test' })).toBeDisabled();
		await page.getByRole('button', { name: 'Sign in again' }).first().click();
		await page.getByRole('button', { name: 'Sign in with Tollgate' }).click();
		await page.waitForURL(/\/viewer$/);
		await expect(users(page)).toContainText('Online access');
		await expect(users(page).getByRole('listitem')).toHaveCount(1);
	}
);
