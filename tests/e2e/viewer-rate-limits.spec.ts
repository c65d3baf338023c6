import {
	characterGauge,
	countRequests,
	lookUp,
	openViewer,
	rateLimitsGauge,
	showCharacter,
	signIn,
	users
} from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

test('the gauge follows the response headers, the cache and the throttle', async ({ page, server }) => {
	await server.control('PATCH', '/control/settings', { limits: { character: 4 } });
	await openViewer(page);
	await signIn(page, 'player-one');
	await showCharacter(page, 'Mara Vell');
	const gauge = characterGauge(page);
	await expect(gauge).toHaveAttribute('aria-valuetext', /^3 of 4 requests left, resets in (?:1 hour|59 minutes)$/);
	// The page has requested the limits when it opened.
	await expect(rateLimitsGauge(page)).toHaveAttribute('aria-valuenow', '149');
	await page.getByRole('button', { name: 'Reload rate limits' }).click();
	await expect(rateLimitsGauge(page)).toHaveAttribute('aria-valuenow', '148');

	await lookUp(page, 'Mara Vell');
	await expect(page.getByText('Cached ')).toBeVisible();
	await expect(gauge).toHaveAttribute('aria-valuenow', '3');
	await showCharacter(page, 'Half/Life');
	await page.getByRole('switch', { name: 'Throttle requests' }).uncheck();
	await expect(page.getByText('Next request: now')).toBeVisible();
	await showCharacter(page, '100% Orc');
	await page.getByRole('switch', { name: 'Throttle requests' }).check();
	await expect(page.getByText('Next request: in 20.0 s')).toBeVisible();
	await page.getByRole('button', { name: 'Reload', exact: true }).click();
	await expect(page.getByText('Reloading…')).toBeVisible();
	await lookUp(page, 'Zoë Šťastná');
	await expect(page.getByText(/^Looking up Zoë Šťastná in \d+ s$/)).toBeVisible();
	await expect(gauge).toHaveAttribute('aria-valuenow', '1');
	await page.getByRole('button', { name: 'Turn off throttling' }).click();
	await expect(page.getByRole('heading', { name: 'Zoë Šťastná' })).toBeVisible();
	await expect(gauge).toHaveAttribute('aria-valuenow', '0');
});

test(
	'over the limit the viewer waits for the reset and then retries',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await server.control('PATCH', '/control/settings', { limits: { character: 1 } });
		await openViewer(page);
		await signIn(page, 'player-one');
		await page.getByRole('switch', { name: 'Throttle requests' }).uncheck();
		await showCharacter(page, 'Mara Vell');
		await lookUp(page, "Tomas d'Arc");
		const retrying = page.getByText("Retrying Tomas d'Arc automatically");
		await expect(retrying).toBeVisible();
		await expectUsable(page);
		const requests = countRequests(page, '/character/');
		await page.getByRole('button', { name: 'Mara Vell' }).click();
		await lookUp(page, "Tomas d'Arc");
		await expect(retrying).toBeVisible();
		expect(requests()).toBe(0);
		await server.control('POST', '/control/clock', { advance: 3700 });
		await page.getByRole('button', { name: 'Reload rate limits' }).click(); // any response carries the new time
		await expect(page.getByRole('heading', { name: "Tomas d'Arc" })).toBeVisible();
	}
);

test(
	'a load test ends on the blacklist, and a lookup works after the entry is deleted',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await server.control('PATCH', '/control/settings', { limits: { character: 5, blacklist_after_refused: 20 } });
		await openViewer(page);
		await signIn(page, 'player-one', { offline: true });
		await page.getByRole('button', { name: 'Start load test' }).click();
		const loadTest = page.getByRole('region', { name: 'Load test' });
		await expect(loadTest.getByText('Blacklisted clients get exactly this')).toBeVisible({ timeout: 20_000 });
		await expectUsable(page);
		const support = loadTest.getByRole('link', { name: 'File a support ticket' });
		await expect(support).toHaveAttribute('href', `${server.origin}/console/support`);

		const entries = JSON.stringify(await server.control('GET', '/control/blacklist'));
		const address = /"address":"([^"]+)"/.exec(entries)?.[1] ?? '';
		await server.control('PATCH', '/control/settings', { limits: { character: 600 } });
		await server.control('DELETE', `/control/blacklist/${encodeURIComponent(address)}`);
		await page.getByRole('button', { name: 'Reload rate limits' }).click();
		await expect(characterGauge(page)).not.toHaveAttribute('aria-valuenow', '0');
		await lookUp(page, 'Half/Life');
		await expect(page.getByRole('heading', { name: 'Half/Life' })).toBeVisible();
		await expect(users(page)).toContainText('Offline access');
	}
);
