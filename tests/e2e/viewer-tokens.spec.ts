import { expect, test } from './fixtures.ts';
import { expectStep, openViewer, people, show, signIn, signInTwo } from './viewer-walk.ts';

test('tokens of 60 seconds are renewed in time, by the clock of the service', async ({ page, server }) => {
	await server.control('PATCH', '/control/settings', { lifetimes: { access_token: 60 } });
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	let renewals = 0;
	page.on('request', (request) => (renewals += request.url().endsWith('/token/') ? 1 : 0));
	await server.control('POST', '/control/clock', { advance: 600 });
	await show(page, 'Mara Vell');
	await expect(page.getByRole('heading', { name: 'Mara Vell' })).toBeVisible();
	await expect(people(page)).toContainText('once');
	expect(renewals).toBe(1);
	await expectStep(page, '401 from /ws/v2.0/character/Mara%20Vell');
	await expect(people(page)).toContainText(/0:[0-5]\d/);
});

test('20 calls in each of two tabs with a dead token: one refresh', async ({ page, context, server }) => {
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	const other = await context.newPage();
	await openViewer(other);
	let renewals = 0;
	context.on('request', (request) => (renewals += request.url().endsWith('/token/') ? 1 : 0));
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
	expect(renewals).toBe(1);
});

test('the user is away: the application goes on; revoked meanwhile, it says so once and stops', async ({
	page,
	context,
	picture
}) => {
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	await page.getByRole('button', { name: 'The user is away' }).click();
	await expect(page.getByText('Person 1 is away')).toBeVisible();
	await expect(page.getByText('looked after a character once')).toBeVisible();
	await picture('viewer-away');

	const account = await context.newPage();
	await account.goto('/account');
	await account.getByRole('button', { name: 'player-one' }).click();
	await account.getByRole('button', { name: 'Take the access away' }).click();

	await page.getByRole('button', { name: 'Refresh now' }).click();
	await expect(page.getByText('The access was taken away')).toBeVisible();
	await expect(people(page)).toContainText('Access revoked');
	await expect(page.getByText('Person 1 is away')).toBeHidden();
	let calls = 0;
	page.on('request', (request) => (calls += request.url().includes('/ws/') ? 1 : 0));
	await page.getByRole('button', { name: 'Mara Vell', exact: true }).click();
	await expect(page.getByRole('button', { name: 'Sign in again' }).first()).toBeVisible();
	expect(calls).toBe(0);
});

test('time that is over is told as over, whoever is looked at', async ({ page, server }) => {
	await signInTwo(page);
	await people(page).getByRole('button', { name: 'Person 1' }).click();
	await server.control('POST', '/control/clock', { advance: 4000 });
	await show(page, 'Mara Vell');
	await expect(people(page).getByRole('button', { name: 'Person 2' })).toHaveText(/^\s*Person 2\s+(Expired\s*)+$/);
});

test('online access ends with its token, and the person is asked to sign in again', async ({ page, server }) => {
	await openViewer(page);
	await signIn(page, 'player-two');
	await server.control('POST', '/control/clock', { advance: 4000 });
	await show(page, 'Half/Life');
	await expect(page.getByText('Please sign in again')).toBeVisible();
	await expect(people(page)).toContainText('Expired');
	await page.emulateMedia({ reducedMotion: 'reduce' });
	const hammer = page.getByRole('button', { name: 'Hammer' });
	await expect(hammer).toBeDisabled();
	const look = () => hammer.evaluate((button) => getComputedStyle(button).cssText);
	const apart = await look();
	await hammer.hover({ force: true });
	expect(await look(), 'under the pointer').toBe(apart);
	await page.getByRole('button', { name: 'Sign in again' }).first().click();
	await page.getByRole('button', { name: 'Continue to the service' }).click();
	await page.waitForURL(/\/viewer$/);
	await expect(people(page)).toContainText('Online');
	await expect(people(page).getByRole('listitem')).toHaveCount(1);
});

test('hammering with a token that has died: the calls are told as refused, with the reason', async ({
	page,
	server,
	picture,
	expectAccessible
}) => {
	await openViewer(page);
	await signIn(page, 'player-two');
	await server.control('POST', '/control/clock', { advance: 4000 });
	await page.getByRole('button', { name: 'Hammer' }).click();
	const manners = page.getByRole('region', { name: 'Without manners' });
	await expect(manners.getByText('Please sign in again')).toBeVisible();
	const figures = await manners.getByLabel('What came of it').getByRole('definition').allTextContents();
	const [sent, accepted, overLimit, refused] = figures;
	expect([accepted, overLimit, refused]).toEqual(['0', '0', sent]);
	expect(Number(sent)).toBeGreaterThan(0);
	await picture('viewer-hammer-refused');
	await expectAccessible();
});
