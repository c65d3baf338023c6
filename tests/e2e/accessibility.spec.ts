import { sitePages, type SiteMenuPart } from '#api/site.ts';
import { docHref } from '#features/docs/doc-pages.ts';
import { expectAccessible, removeRepeated } from './axe.ts';
import {
	allow,
	chooseAccount,
	events,
	hydrated,
	openAdvancedOptions,
	openCompanion,
	openPopup,
	openViewer,
	rateLimitsGauge,
	showCharacter,
	signIn,
	startSignIn
} from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectReflow, expectUsable } from './reflow.ts';

test.describe.configure({ mode: 'parallel' });

// Of the articles, one, and those with a filter, with rows to open, and with code. Others have the same parts.
const docs = { '': ['decisions', 'api'], ' of one, of errors and of code': ['overview', 'errors', 'client-core'] };
const pathsOf = (group: SiteMenuPart) => sitePages.filter((page) => page.group === group).map(({ path }) => path);
// Each test opens its pages one after the other in one browser context, whose cache is warm after the first.
const groups = {
	'the home page and the error pages are': ['/', '/nothing', '/~unknown/viewer'],
	'the pages of the console are': ['/console', '/providers', ...pathsOf('Service pages')],
	'the pages of the clock, faults and credentials are': pathsOf('Settings').slice(0, 3),
	'the other pages of the controls are': [...pathsOf('Settings').slice(3), ...pathsOf('Sandboxes')],
	'the pages of an application are': ['settings', 'tester', 'connect'].map(
		(tab) => `/console/application?client_id=character-viewer&tab=${tab}`
	)
};
/** Journeys check these pages with more in them. */
const alsoInJourneys = {
	'the damaged preset link, the request builder, the start of the exam and the limits are': [
		'/preset#damaged',
		'/request',
		'/exam',
		'/ratelimiting'
	]
};
for (const [name, paths] of Object.entries({ ...groups, ...alsoInJourneys })) {
	test(`${name} accessible`, { tag: name in alsoInJourneys ? '@nightly' : [] }, async ({ page }) => {
		test.slow();
		for (const path of paths) {
			await page.goto(path);
			await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
			await expectUsable(page);
		}
	});
}

for (const [which, names] of Object.entries(docs)) {
	test(`the documentation${which} is accessible`, { tag: which === '' ? [] : '@nightly' }, async ({ page }) => {
		test.slow();
		for (const path of names.map((name) => docHref('', name))) {
			await page.goto(path);
			if (path === docHref('', 'api')) {
				await hydrated(page);
				const operation = page.locator('details[id]').first();
				await operation.locator('summary').click();
				const tryIt = operation.getByRole('button', { name: 'Try it' });
				await tryIt.click();
				await expect(operation.getByRole('button', { name: 'Send request' })).toBeVisible();
			}
			await expectReflow(page);
			await page.locator('main :is(tbody tr, details[id])').evaluateAll(removeRepeated);
			await expectAccessible(page);
		}
	});
}

test(
	'the page of faults and the bar are accessible while faults are active',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		const fault = { client_id: 'character-viewer', kind: 'delay', percentage: 10, times: null, after_commit: true };
		await server.control('POST', '/control/faults', fault);
		for (const path of ['/controls/faults', '/account']) {
			await page.goto(path);
			await expect(page.getByText('1 fault is active in this sandbox.')).toBeVisible();
			if (path !== '/account') await expect(page.getByText('10% of requests of Character Viewer')).toBeVisible();
			await expectUsable(page);
		}
	}
);

test('the sign-in, consent, error, code and account pages are accessible', { tag: '@nightly' }, async ({ page }) => {
	await page.goto('/ws/oauth2/auth/?response_type=code&client_id=unknown');
	await expectUsable(page);
	await openViewer(page);
	await startSignIn(page, { offline: true });
	await expectUsable(page);
	await chooseAccount(page, 'player-one');
	await expectUsable(page);
	await allow(page);
	await page.goto('/account');
	await page.getByText('Revoke access…').click();
	await expect(page.getByRole('button', { name: 'Revoke access', exact: true })).toBeVisible();
	await expectUsable(page);
	await openCompanion(page);
	await page.getByRole('button', { name: 'Enter code manually' }).click();
	const opened = page.context().waitForEvent('page');
	await page.getByRole('link', { name: 'Open Tollgate sign-in' }).click();
	const service = await opened;
	await allow(service);
	await expect(service.locator('#code')).toBeVisible();
	await expectUsable(service);
});

test('the palette and the keyboard shortcuts are accessible', { tag: '@nightly' }, async ({ page }) => {
	await page.goto('/');
	await hydrated(page);
	await page.keyboard.press('Control+k');
	await expect(page.getByRole('combobox')).toBeFocused();
	await expectUsable(page, 'dialog[open]');
	await page.getByRole('combobox').fill('xyzzy');
	await expectAccessible(page, 'dialog[open]');
	await page.keyboard.press('Escape');
	await expect(page.getByRole('combobox')).toBeHidden();
	await page.keyboard.press('?');
	await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
	await expectUsable(page, 'dialog[open]');
});

test('with reduced motion, a dialog is visible before the first frame', { tag: '@nightly' }, async ({ page }) => {
	await page.goto('/');
	const dialog = page.locator('dialog').first();
	const opacity = await dialog.evaluate((element: HTMLDialogElement) => {
		element.showModal();
		return getComputedStyle(element).opacity;
	});
	expect(opacity).toBe('1');
});

test(
	'the inspector and both ends of a request are accessible, empty and with an exchange',
	{ tag: '@nightly' },
	async ({ page }) => {
		test.slow();
		await page.goto('/inspector');
		await expect(page.getByRole('heading', { name: 'Explain a sign-in of any provider' })).toBeVisible();
		await expectUsable(page);
		await openViewer(page);
		await signIn(page, 'player-one');
		await page.getByRole('link', { name: /^Show checks of POST/ }).click();
		const bothEnds = page.getByRole('region', { name: 'Both ends of the request' });
		await expect(bothEnds).toContainText('Tokens issued');
		await expectUsable(page);
		await bothEnds.getByRole('link', { name: 'Inspector' }).click();
		await expect(page.getByRole('region', { name: 'Selected exchange' })).toBeVisible();
		await expectUsable(page);
	}
);

test('the viewer is accessible without a user', { tag: '@nightly' }, async ({ page }) => {
	await openViewer(page);
	await page.getByText('Request parameters').click();
	await page.getByText('Client credentials').click();
	await openAdvancedOptions(page);
	await expectUsable(page);
});

test('a paused and a failed callback are accessible', { tag: '@nightly' }, async ({ page }) => {
	await openViewer(page);
	await openAdvancedOptions(page);
	await page.getByRole('switch', { name: 'Pause at the callback' }).check();
	// The sign-in is stored after the switch. A page that is left earlier can lose both.
	await page.getByRole('button', { name: 'Sign in with Tollgate' }).click();
	await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible();
	await page.goto('/viewer/callback?code=x&state=forged');
	await expect(page.getByRole('button', { name: 'Exchange the code' })).toBeVisible();
	await expect(page.getByText('no match')).toBeVisible();
	await expectUsable(page);
	await page.getByRole('button', { name: 'Exchange the code' }).click();
	await expect(page).toHaveTitle(/^Sign-in failed/);
	await expectUsable(page);
});

test('the viewer is accessible with a user, a character and a notification', { tag: '@nightly' }, async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	await page.getByRole('textbox', { name: 'Label' }).fill('A user with a rather long name');
	await page.keyboard.press('Enter');
	await showCharacter(page, 'Zoë Šťastná');
	await page.getByRole('button', { name: 'Watch', exact: true }).click();
	await expect(rateLimitsGauge(page)).toBeVisible();
	await page.getByRole('button', { name: 'Clear log' }).click();
	await page.getByRole('button', { name: 'Undo' }).hover(); // keeps the notification
	await expectUsable(page);
});

test(
	'the companion is accessible with its form, an open window and manual entry',
	{ tag: '@nightly' },
	async ({ page }) => {
		await openCompanion(page);
		await expectUsable(page);
		const popup = await openPopup(page);
		await expect(page.getByText('Waiting for the sign-in window')).toBeVisible();
		await expectUsable(page);
		await popup.close();
		await expect(page.getByText('The sign-in window was closed')).toBeVisible();
		await expectUsable(page);
	}
);

test(
	'with increased contrast, the borders of buttons have the color of their text',
	{ tag: '@nightly' },
	async ({ page }) => {
		await page.emulateMedia({ contrast: 'more' });
		await page.goto('/controls');
		for (const name of ['+10 min', 'Quick class', 'No limits']) {
			const button = page.getByRole('button', { name });
			const color = await button.evaluate((element) => getComputedStyle(element).color);
			await expect(button).toHaveCSS('border-top-color', color);
		}
	}
);

test('a notification waits while the tab is hidden', { tag: '@nightly' }, async ({ page }) => {
	await page.clock.install();
	await openViewer(page);
	await signIn(page, 'player-one');
	const notifications = page.getByRole('region', { name: 'Notifications' });
	const setHidden = (hidden: boolean) =>
		page.evaluate((value) => {
			Object.defineProperty(document, 'hidden', { value, configurable: true });
			document.dispatchEvent(new Event('visibilitychange'));
		}, hidden);
	await setHidden(true);
	await expect(events(page)).toBeVisible(); // an empty log gives no notification
	await page.getByRole('button', { name: 'Clear log' }).dispatchEvent('click'); // without the pointer on the page
	await page.clock.fastForward(60_000);
	await expect(notifications).toContainText('Log cleared');
	await setHidden(false);
	await page.clock.fastForward(11_000);
	await expect(notifications).toHaveCount(0);
});
