import { expectAccessible } from './axe.ts';
import {
	allow,
	characterGauge,
	chooseAccount,
	createSandbox,
	events,
	lookUp,
	openAdvancedOptions,
	openPermissions,
	openViewer,
	showCharacter,
	signIn,
	startSignIn,
	users
} from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

test('a user chooses permissions, approves them, and looks up a character', async ({ page, server }) => {
	// Notes on the way back whether the sign-in form appears before the users are loaded.
	await page.addInitScript(() => {
		if (!location.pathname.endsWith('/callback')) return;
		const check = () => {
			if (document.body.innerText.includes('Sign in with Tollgate')) document.documentElement.dataset.flash = '';
		};
		new MutationObserver(check).observe(document, { subtree: true, childList: true });
	});
	const prefix = await createSandbox(server);
	await openViewer(page, prefix);
	await openPermissions(page);
	await page.getByRole('checkbox', { name: 'View location' }).check();
	// The permissions stay open.
	await expect(page.getByRole('checkbox', { name: 'View location' })).toBeChecked();
	await page.getByText('Request parameters').click();
	const parameters = page.locator('dl', { hasText: 'response_type' });
	await expect(parameters).toContainText('character_read location_read');
	await openAdvancedOptions(page);
	await page.getByRole('switch', { name: 'PKCE' }).uncheck();
	await expect(parameters).not.toContainText('code_challenge');
	await page.getByRole('switch', { name: 'PKCE' }).check();
	const state = await parameters
		.locator('div', { hasText: /^state/ })
		.locator('dd code')
		.innerText();

	await startSignIn(page, { offline: true });
	expect(new URL(page.url()).searchParams.get('state')).toBe(state);
	await expectAccessible(page);
	await chooseAccount(page, 'player-one');
	await expectAccessible(page);
	await allow(page);
	await expect(users(page)).toContainText('Offline access');
	expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`${prefix}/viewer`);
	await expect(page.locator('html')).not.toHaveAttribute('data-flash');

	await showCharacter(page, 'Mara Vell');
	await expect(page.getByText('Lantern Quay')).toBeVisible();
	await expectAccessible(page);
	await expect(characterGauge(page)).toHaveAttribute('aria-valuenow', '599');
	const credits = page.getByRole('listitem').filter({ hasText: 'credits_read' });
	await page.getByRole('button', { name: 'Choose permissions' }).click();
	await expect(page.getByRole('heading', { name: /^Request more permissions from/ })).toBeInViewport();
	await expect(page.getByRole('checkbox', { name: 'View inventory' })).toBeChecked();
	await page.getByRole('button', { name: 'Close', exact: true }).click();
	await credits.getByRole('button', { name: 'Request access' }).click();
	await allow(page);
	await showCharacter(page, 'Mara Vell');
	await expect(page.getByRole('definition').filter({ hasText: '18250' })).toBeVisible();

	await openViewer(page);
	await expect(page.getByRole('button', { name: 'Sign in with Tollgate' })).toBeVisible();
});

test(
	'lookups encode every name, in JSON and XML, with the token in the header or the URL',
	{ tag: '@nightly' },
	async ({ page }) => {
		await openViewer(page);
		await signIn(page, 'player-one', { permissions: ['View credits'] });
		for (const name of ["Tomas d'Arc", 'Zoë Šťastná', 'Half/Life', '100% Orc']) await showCharacter(page, name);
		await expect(page.getByText('This character belongs to another user.')).toBeVisible();
		await page.getByText('XML', { exact: true }).click();
		await page.getByText('Query', { exact: true }).click();
		await expect(page.getByText('Tokens in URLs leak')).toBeVisible();
		const request = page.waitForRequest(/access_token=/);
		await lookUp(page, 'Mara Vell');
		expect((await request).headers().authorization).toBeUndefined();
		await expect(page.getByRole('definition').filter({ hasText: '18250' })).toBeVisible();
		await page.getByText('Raw response').click();
		await expect(page.getByRole('group', { name: /^XML/ })).toContainText('<character><name>Mara Vell');
	}
);

test('tokens in XML work for the exchange and the refresh', { tag: '@nightly' }, async ({ page }) => {
	await openViewer(page);
	await openAdvancedOptions(page);
	await page.getByRole('group', { name: 'Token response format' }).getByText('XML').click();
	const exchange = page.waitForResponse(/\/ws\/oauth2\/token\/$/);
	await signIn(page, 'player-one', { offline: true });
	expect((await exchange).headers()['content-type']).toContain('xml');
	const refresh = page.waitForResponse(/\/ws\/oauth2\/token\/$/);
	await page.getByRole('button', { name: 'Refresh now' }).click();
	expect((await refresh).headers()['content-type']).toContain('xml');
	await expect(users(page)).toContainText('1 time');
	await expect(events(page)).toContainText('XML');
});

test(
	'a user signs in with OpenID Connect in a sandbox of today’s standards, and sees the claims',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await server.control('PATCH', '/control/settings', { dialect: 'standard' });
		await openViewer(page);
		await openAdvancedOptions(page);
		await page.getByRole('switch', { name: 'Sign in with OpenID Connect' }).check();
		await signIn(page, 'player-one');
		await expect(users(page)).toContainText('verified');
		await expect(users(page).locator('div', { hasText: /^iss/ })).toContainText(server.origin);
		await showCharacter(page, 'Mara Vell');
	}
);
