import { expect, test } from './fixtures.ts';
import { agree, expectStep, leave, openViewer, people, show, signIn, signInTwo } from './viewer-walk.ts';

test('sign in: permissions, the request parameter by parameter, consent, and a character', async ({
	page,
	picture,
	expectAccessible
}) => {
	test.slow(); // axe looks six times
	await openViewer(page);
	await page.getByRole('checkbox', { name: 'See where they are' }).check();
	await page.getByText('The request, parameter by parameter').click();
	const request = page.locator('dl', { hasText: 'response_type' });
	await expect(request).toContainText('character_read location_read');
	await expect(request).toContainText('code_challenge_method');
	await page.getByRole('switch', { name: 'PKCE' }).uncheck();
	await expect(request).not.toContainText('code_challenge');
	await page.getByRole('switch', { name: 'PKCE' }).check();
	const shown = await request
		.locator('div', { hasText: /^state/ })
		.locator('dd code')
		.innerText();
	expect(shown).toMatch(/^[\w-]{43}$/);
	await expectAccessible();
	await picture('viewer-sign-in');

	await leave(page, { offline: true });
	expect(new URL(page.url()).searchParams.get('state')).toBe(shown);
	await agree(page, 'player-one');
	expect(new URL(page.url()).search).toBe('');
	await expect(people(page)).toContainText('Offline access');

	await show(page, 'Mara Vell');
	await expect(page.getByRole('heading', { name: 'Mara Vell' })).toBeVisible();
	await expect(page.getByText('Lantern Quay')).toBeVisible();
	await expect(page.getByText('credits_read')).toBeVisible();
	await expect(page.getByRole('meter', { name: '/ws/v2.0/character/*' })).toHaveAttribute('aria-valuenow', '599');
	await expectAccessible();
	await picture('viewer-character');
	await page
		.getByRole('listitem')
		.filter({ hasText: 'credits_read' })
		.getByRole('button', { name: 'Ask for it' })
		.click();
	await expect(page.getByRole('heading', { name: 'Ask Person 1 for more' })).toBeInViewport();
	await expect(page.getByText('listed as somebody new')).toBeVisible();
	await expect(page.getByRole('checkbox', { name: 'Count their credits' })).toBeChecked();
	await page.setViewportSize({ width: 390, height: 844 });
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
	await expectAccessible();
	await picture('viewer-character-390');
});

test('characters: hard names, other people’s, JSON and XML, header and query', async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one', { permissions: ['See where they are', 'Count their credits'] });
	for (const name of ["Tomas d'Arc", 'Zoë Šťastná', 'Half/Life', '100% Orc']) {
		await show(page, name);
		await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
	}
	await expect(page.getByText('somebody else’s')).toBeVisible();
	await page.getByText('XML', { exact: true }).click();
	await page.getByText('Query', { exact: true }).click();
	await expect(page.getByText('A token in the address is a token in the open')).toBeVisible();
	const call = page.waitForRequest(/access_token=/);
	await show(page, 'Mara Vell');
	expect((await call).headers().authorization).toBeUndefined();
	await expect(page.getByRole('definition').filter({ hasText: '18250' })).toBeVisible();
	await page.getByText('The answer as it came').click();
	await expect(page.getByRole('group', { name: /^XML/ })).toContainText('<character><name>Mara Vell');
	await show(page, 'Nobody at all');
	await expect(page.getByText('No character of that name')).toBeVisible();
});

test('the callback: refusals in words, reload, Back, and a copied address', async ({ page, context, server }) => {
	await openViewer(page);
	await leave(page);
	await page.getByRole('button', { name: 'player-one' }).click();
	await page.locator('button[value=deny]').click();
	await expect(page.getByRole('heading', { name: 'You did not agree' })).toBeVisible();
	expect(new URL(page.url()).search).toBe('');
	await page.reload();
	await expect(page.getByRole('heading', { name: 'You did not agree' })).toBeVisible();
	await page.getByRole('link', { name: 'Sign in again' }).click();

	let answers = 0;
	let exchanges = 0;
	let address = '';
	page.on('request', (request) => {
		if (request.url().includes('/viewer/callback?')) {
			answers += 1;
			address = request.url();
		}
		if (request.url().endsWith('/ws/oauth2/token/')) exchanges += 1;
	});
	await leave(page);
	await page.locator('button[value=approve]').click();
	await page.waitForURL(/\/viewer$/);
	await expect(people(page)).toContainText('Person 1');
	expect([answers, exchanges]).toEqual([1, 1]);

	await page.goto(address);
	await expect(page.getByText('This sign-in is already over')).toBeVisible();
	await page.goBack();
	await expect(people(page)).toContainText('Person 1');
	const other = await context.newPage();
	await other.goto(address);
	await expect(other.getByText('This sign-in is already over')).toBeVisible();
	await other.goto(`${server.origin}/viewer/callback?code=x&state=forged`);
	await expect(other.getByText('This browser did not start that sign-in')).toBeVisible();
	await other.goto(`${server.origin}/viewer/callback?code=x&error=access_denied&error_description=%3Cimg%20src%3Dx%3E`);
	await expect(other.getByText('The answer carries no state')).toBeVisible();
	expect(exchanges).toBe(1);
	expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/viewer-secret|token/);
});

test('whoever comes back signed in is not asked to sign in for a moment', async ({ page }) => {
	await page.addInitScript(() => {
		if (!location.pathname.endsWith('/callback')) return;
		const look = () => {
			if (document.body.innerText.includes('Continue to the service')) document.documentElement.dataset.asked = '';
		};
		new MutationObserver(look).observe(document, { subtree: true, childList: true });
	});
	await openViewer(page);
	await signIn(page, 'player-one');
	await expect(page.getByRole('heading', { name: 'What the client does' })).toBeVisible();
	await expect(page.locator('html')).not.toHaveAttribute('data-asked');
});

test('storage that breaks while the page opens: it works in memory, and says so', async ({ page, picture }) => {
	await page.addInitScript(() => {
		const get = IDBObjectStore.prototype.get;
		let reads = 0;
		IDBObjectStore.prototype.get = function (key) {
			reads += 1;
			if (reads > 1) throw new DOMException('The disk is gone', 'InvalidStateError');
			return get.call(this, key);
		};
	});
	await openViewer(page);
	await expect(page.getByText('Kept in memory only')).toBeVisible();
	await expect(page.getByText('This sign-in will not find its way back')).toBeVisible();
	await picture('viewer-memory-only');
	await page.goto('/companion');
	await expect(page.getByRole('button', { name: 'Open the sign-in window' })).toBeEnabled();
	await expect(page.getByText('Kept in memory only')).toBeVisible();
});

test('several people: switch, rename, sign out by revoking in every tab', async ({ page, context }) => {
	await signInTwo(page);
	await expect(people(page).getByRole('listitem')).toHaveCount(2);
	await page.getByLabel('Name here').fill('Zoë’s player');
	await page.getByLabel('Name here').press('Enter');
	await expect(people(page)).toContainText('Zoë’s player');

	const other = await context.newPage();
	await openViewer(other);
	await expect(people(other).getByRole('listitem')).toHaveCount(2);
	await people(page)
		.getByRole('button', { name: /Person 1/ })
		.click();
	const revoked = page.waitForResponse(/\/ws\/oauth2\/revoke\?/);
	await page.getByRole('button', { name: 'Sign out' }).click();
	expect((await revoked).status()).toBe(200);
	await expect(page.getByText('The service ended the access')).toBeVisible();
	await expect(people(other).getByRole('listitem')).toHaveCount(1);
	const elsewhere = 'Person 1 was signed out in another tab';
	await expect(other.getByRole('status').filter({ hasText: elsewhere })).toHaveCount(1);
	await expect(other.getByRole('region', { name: 'Messages' })).toContainText(elsewhere);
	await expect(page.getByText(elsewhere)).toHaveCount(0);

	await page.getByRole('button', { name: 'Sign out' }).click();
	await expect(page.getByRole('button', { name: 'Continue to the service' })).toBeVisible();
	await expectStep(page, 'Nothing to revoke: the service revokes by refresh token only');
});

test('by keyboard: what closes gives the focus back, what goes away does not lose it', async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	await page.getByRole('button', { name: 'Mara Vell' }).click();
	await expect(page.getByRole('heading', { name: 'Mara Vell' })).toBeVisible();
	const openers = [
		[page.getByRole('button', { name: 'Add', exact: true }), 'Sign in somebody else'],
		[page.getByRole('button', { name: 'Ask for it' }).last(), 'Ask Person 1 for more']
	] as const;
	for (const [opener, name] of openers) {
		const signInPanel = page.getByRole('region', { name });
		await opener.press('Enter');
		await expect(signInPanel).toBeFocused();
		await expect(signInPanel).toBeInViewport();
		await page.keyboard.press('Tab');
		await page.keyboard.press('Escape');
		await expect(signInPanel).toHaveCount(0);
		await expect(opener).toBeFocused();
		await opener.press('Enter');
		await signInPanel.getByRole('button', { name: 'Close' }).press('Enter');
		await expect(opener).toBeFocused();
	}
	await page.getByRole('button', { name: 'The user is away' }).press('Enter');
	await expect(page.getByRole('button', { name: 'They are back' })).toBeVisible();
	await expect(page.getByRole('region', { name: 'Signed in' })).toBeFocused();
	await page.getByRole('button', { name: 'Sign out' }).press('Enter');
	await expect(page.getByRole('region', { name: 'Sign in', exact: true })).toBeFocused();
});

for (const width of [1280, 390]) {
	test(`by keyboard, ${String(width)} wide: nothing that has the focus is out of sight or covered`, async ({
		page
	}) => {
		await page.setViewportSize({ width, height: 800 });
		await openViewer(page);
		await signIn(page, 'player-one', { offline: true });
		await page.getByRole('button', { name: 'Mara Vell' }).click();
		await expect(page.getByRole('heading', { name: 'Mara Vell' })).toBeVisible();
		const hidden = () =>
			page.evaluate(() => {
				const at = document.activeElement;
				if (at === null || at === document.body) return '';
				const seen = at.closest('label') ?? at;
				const { x, y, width, height } = seen.getBoundingClientRect();
				const top = document.elementFromPoint(x + width / 2, y + height / 2);
				return top && (seen.contains(top) || top.contains(seen)) ? '' : `${at.tagName} ${at.textContent}`;
			});
		const faults = new Set<string>();
		for (const key of ['Tab', 'Shift+Tab']) {
			for (let presses = 0; presses < 45; presses += 1) {
				await page.keyboard.press(key);
				faults.add(await hidden());
			}
		}
		expect([...faults]).toEqual(['']);
	});
}

test('asked for a permission while the sign-in is open already: it comes into view, with the focus and the permission', async ({
	page
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await openViewer(page);
	await signIn(page, 'player-one');
	await show(page, 'Mara Vell');
	const panel = page.getByRole('region', { name: 'Ask Person 1 for more' });
	const askFor = (scope: string) =>
		page.getByRole('listitem').filter({ hasText: scope }).getByRole('button', { name: 'Ask for it' });
	await askFor('location_read').click();
	for (const [scope, box] of [
		['credits_read', 'Count their credits'],
		['inventory_read', 'Look into their bags']
	] as const) {
		await askFor(scope).click();
		await expect(panel).toBeFocused();
		await expect(panel.getByRole('heading', { name: 'Ask Person 1 for more' })).toBeInViewport();
		await expect(panel.getByRole('checkbox', { name: box })).toBeChecked();
	}
	await askFor('credits_read').press('Enter');
	await expect(panel).toBeFocused();
	await panel.getByRole('button', { name: 'Close' }).press('Enter');
	await expect(askFor('credits_read')).toBeFocused();
});

test('below a sandbox’s prefix the whole way works, apart from the root', async ({ page, server }) => {
	const made = JSON.stringify(await server.control('POST', '/control/sandboxes'));
	const id = /"id":"([^"]+)"/.exec(made)?.[1] ?? '';
	expect(made).toContain(`"base_url":"${server.origin}/~${id}"`);
	await openViewer(page, `/~${id}`);
	await signIn(page, 'player-three');
	expect(new URL(page.url()).pathname).toBe(`/~${id}/viewer`);
	await show(page, '100% Orc');
	await expect(page.getByRole('heading', { name: '100% Orc' })).toBeVisible();
	await openViewer(page);
	await expect(page.getByRole('button', { name: 'Continue to the service' })).toBeVisible();
});
