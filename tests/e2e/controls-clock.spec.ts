import { expectAccessible } from './axe.ts';
import { characterGauge, openViewer, showCharacter, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { layoutShift } from './layout-shift.ts';

test('the clock of a sandbox is moved to events and back by keyboard', async ({ page, server }) => {
	await openViewer(page);
	await signIn(page, 'player-one');
	await showCharacter(page, 'Mara Vell');
	await page.goto('/controls');
	const offset = async () => Reflect.get(Object(await server.control('GET', '/control/clock')), 'offset');
	const events = page.getByRole('group', { name: 'Upcoming events' });
	await expect(events.getByRole('listitem')).toHaveCount(3);
	await expect(events).toContainText(/Limit window of \S+ for \/ws\/v2\.0\/character\/\* resets in/);
	await page.getByRole('button', { name: '+10 min' }).press('Enter');
	await expect(page.getByText('10 minutes ahead of the real time.')).toBeVisible();
	expect(await offset()).toBe(600_000);
	const jump = page.getByRole('button', { name: /^Jump: Limit window/ }).last();
	// Until the events are read, the buttons ignore a press.
	await expect(jump).toBeEnabled();
	await jump.press('Enter');
	await expect(events.getByRole('listitem')).toHaveCount(1);
	await expect(events).toContainText(/Access token of Character Viewer for player-one expires in 5:\d\d/);
	await expect(page.getByRole('button', { name: /^Jump: Access token/ })).toBeFocused();
	await page.getByRole('main').getByRole('button', { name: 'Return to real time' }).press('Enter');
	await expect(page.getByRole('status').filter({ hasText: 'The sandbox follows the real time.' })).toBeVisible();
	await expect(events, 'the time that is left stays').toContainText(/^Access token .* expires in [45]:\d\d/);
	expect(await offset()).toBe(0);
});

test('the page loads without a layout shift', { tag: '@nightly' }, async ({ page }) => {
	await page.goto('/controls');
	await expect(page.getByRole('button', { name: '+10 min' })).toBeVisible();
	expect(await layoutShift(page)).toBeLessThan(0.005);
});

test('settings are saved by keyboard, with a mistake at its field', async ({ page, server }) => {
	const settings = () => server.control('GET', '/control/settings');
	await page.goto('/controls');
	await page.getByRole('button', { name: /^Lifetimes/ }).click();
	const code = page.getByRole('textbox', { name: 'Authorization code' });
	await code.fill('a while');
	await expect(page.getByText('Unsaved changes')).toBeVisible();
	await code.press('Enter');
	await expect(code).toBeFocused();
	await expect(code).toHaveAccessibleDescription(/Enter a whole number from 1 to 86,400\./);
	await code.fill('1 min');
	await page.getByRole('button', { name: /^Limits/ }).click();
	await page.getByRole('textbox', { name: 'Window' }).fill('120');
	await code.press('Enter');
	await expect.poll(settings).toMatchObject({ lifetimes: { code: 60 }, limits: { window: 120 } });
	await expect(page.getByText('Settings saved')).toBeVisible();
	const quick = page.getByRole('button', { name: 'Quick class' });
	await quick.press('Enter');
	await expect(quick).toHaveAttribute('aria-pressed', 'true');
	await expect(page.getByRole('textbox', { name: '/ws/v2.0/character/*' })).toHaveValue('20');
	expect(await settings()).toMatchObject({ lifetimes: { access_token: 120 }, limits: { character: 20, window: 3600 } });
});

test('the button that saves is above the strip while the fields are in view', { tag: '@nightly' }, async ({ page }) => {
	await page.goto('/controls');
	await page.getByRole('button', { name: /^Lifetimes/ }).click();
	const code = page.getByRole('textbox', { name: 'Authorization code' });
	const save = page.getByRole('button', { name: 'Save settings' });
	await code.fill('60');
	for (const size of [
		{ width: 1280, height: 800 },
		{ width: 390, height: 844 }
	]) {
		await page.setViewportSize(size);
		await code.evaluate((field) => field.scrollIntoView({ block: 'center' }));
		await expect.poll(() => save.evaluate(isTopmost), `${size.width} px wide`).toBe(true);
	}

	/** Runs in the page: whether nothing covers the middle of an element. */
	function isTopmost(element: Element): boolean {
		const { x, y, width, height } = element.getBoundingClientRect();
		return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
	}
});

test('this browser and an application count for other addresses', { tag: '@nightly' }, async ({ page, server }) => {
	await page.goto('/controls');
	const address = page.getByRole('textbox', { name: 'Another address' });
	await address.fill('10.0.0.1');
	await address.press('Enter');
	await expect(address).toHaveAccessibleDescription(/Use an address in 192\.0\.2\.0\/24/);
	await page.getByRole('button', { name: '192.0.2.2' }).press('Enter');
	const application = page.getByRole('textbox', { name: 'Pocket Companion' });
	await application.fill('192.0.2.999');
	await application.press('Enter');
	await expect(application).toHaveAccessibleDescription(/Use an address/);
	await application.fill('2001:db8::7');
	await application.press('Enter');
	await expect(page.getByRole('button', { name: 'Save address of Pocket Companion' })).toBeDisabled();
	await expect
		.poll(() => server.control('GET', '/control/applications/pocket-companion'))
		.toMatchObject({ address: '2001:db8::7' });
	await openViewer(page);
	await signIn(page, 'player-one');
	await showCharacter(page, 'Half/Life');
	await expect(page.getByText('From response headers, for 192.0.2.2')).toBeVisible();
	await expect(characterGauge(page)).toHaveAttribute('aria-valuetext', /^599 of 600 requests left/);
});

test(
	'a bar says on every page that the clock was moved, and returns it to the real time',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await server.control('POST', '/control/clock', { advance: 7500 });
		await page.goto('/docs');
		const bar = page.getByRole('complementary', { name: 'Clock' });
		await expect(bar).toContainText('The clock of this sandbox is 2 hours 5 minutes ahead.');
		await expectAccessible(page);
		await page.goto('/account');
		await expect(page.getByText('The clock of this sandbox is 2 hours 5 minutes ahead.')).toBeVisible();
		await page.getByRole('link', { name: 'Show clock' }).click();
		await expect(page).toHaveURL(/\/controls$/);
		await expect(page.getByText('2 hours 5 minutes ahead of the real time.')).toBeVisible();
		await bar.getByRole('button', { name: 'Return to real time' }).press('Enter');
		await expect(bar).toBeHidden();
		await expect(page.getByText('The sandbox follows the real time.')).toBeVisible();
	}
);
