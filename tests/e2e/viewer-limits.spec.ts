import { expect, test } from './fixtures.ts';
import { expectStep, openViewer, show, signIn } from './viewer-walk.ts';

test('gauges come from headers alone, and ratelimits agrees when asked', async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one');
	await show(page, 'Mara Vell');
	const gauge = page.getByRole('meter', { name: '/ws/v2.0/character/*' });
	await expect(gauge).toHaveAttribute('aria-valuetext', /^599 of 600 calls left, resets in/);
	await page.getByRole('button', { name: 'Ask ratelimits' }).click();
	const records = page.getByRole('table', { name: 'What ratelimits says' });
	await expect(records).toContainText('/ws/v2.0/character/*');
	await expect(records).toContainText('599');
	await expect(page.getByRole('meter', { name: '/ws/v2.0/ratelimits' })).toHaveAttribute('aria-valuenow', '149');
});

test('what a gauge says to a screen reader keeps up with its clock', async ({ page }) => {
	await page.clock.install();
	await openViewer(page);
	await signIn(page, 'player-one');
	await show(page, 'Mara Vell');
	const gauge = page.getByRole('meter', { name: '/ws/v2.0/character/*' });
	await expect(gauge).toHaveAttribute('aria-valuetext', /resets in (?:1 hour|59 minutes)$/);
	await page.clock.fastForward('20:00');
	await expect(gauge).toHaveAttribute('aria-valuetext', /^599 of 600 calls left, resets in (?:40|39) minutes$/);
});

test('a kept answer costs no call; a throttled one is held back, unless that is switched off', async ({
	page,
	server
}) => {
	await server.control('PATCH', '/control/settings', { limits: { character: 20 } });
	await openViewer(page);
	await signIn(page, 'player-one');
	const gauge = page.getByRole('meter', { name: '/ws/v2.0/character/*' });
	await page.getByRole('button', { name: 'Mara Vell' }).click();
	await expect(gauge).toHaveAttribute('aria-valuenow', '19');
	await page.getByRole('button', { name: 'Mara Vell' }).click();
	await expect(page.getByText('from the cache,')).toBeVisible();
	await expect(gauge).toHaveAttribute('aria-valuenow', '19');
	await page.getByRole('switch', { name: 'Throttle' }).uncheck();
	for (let left = 18; left >= 6; left -= 1) {
		await page.getByRole('button', { name: 'Ask anew' }).click();
		await expect(gauge).toHaveAttribute('aria-valuenow', String(left));
	}
	await page.getByRole('switch', { name: 'Throttle' }).check();
	await expect(page.getByText('Next call held back 20.0 s')).toBeVisible();
	await page.getByRole('button', { name: 'Ask anew' }).click();
	await expect(page.getByText('asking anew')).toBeVisible();
	await expect(gauge).toHaveAttribute('aria-valuenow', '6');
	await expectStep(page, 'Holding the call back');
});

test('over the limit the page waits for the reset and then goes on by itself', async ({ page, server }) => {
	await server.control('PATCH', '/control/settings', { limits: { character: 3 } });
	await openViewer(page);
	await signIn(page, 'player-one');
	await page.getByRole('switch', { name: 'Throttle' }).uncheck();
	for (const name of ['Mara Vell', 'Half/Life', '100% Orc']) {
		await show(page, name);
		await expect(page.getByRole('heading', { name })).toBeVisible();
	}
	await show(page, "Tomas d'Arc");
	await expect(page.getByText('is asked for again by itself')).toBeVisible();
	let calls = 0;
	page.on('request', (request) => (calls += request.url().includes('/character/') ? 1 : 0));
	await page.getByRole('button', { name: 'Mara Vell' }).click();
	await show(page, "Tomas d'Arc");
	await expect(page.getByText('is asked for again by itself')).toBeVisible();
	expect(calls).toBe(0);

	await server.control('POST', '/control/clock', { advance: 3700 });
	await page.getByRole('button', { name: 'Ask ratelimits' }).click(); // any answer tells the new time
	await expect(page.getByRole('heading', { name: "Tomas d'Arc" })).toBeVisible();
});

test('hammering leads onto the blacklist; the page explains the silence and recovers by itself', async ({
	page,
	server,
	picture,
	expectAccessible
}) => {
	test.slow(); // some hundred calls, and axe looks twice
	await server.control('PATCH', '/control/settings', { limits: { character: 30 } });
	await openViewer(page);
	await signIn(page, 'player-one', { offline: true });
	await page.getByRole('button', { name: 'Hammer' }).click();
	await expect(page.getByText('This address is blacklisted')).toBeVisible({ timeout: 30_000 });
	await expect(page.getByText('GET /ratelimiting says so: 100 calls')).toBeVisible();
	await expect(page.getByRole('link', { name: 'File a support ticket' })).toHaveAttribute(
		'href',
		`${server.origin}/support`
	);
	await picture('viewer-blacklisted');
	await expectAccessible();
	let calls = 0;
	page.on('request', (request) => (calls += request.url().includes('/ws/') ? 1 : 0));
	await page.reload();
	await expect(page.getByText('GET /ratelimiting says so: 100 calls')).toBeVisible();
	await page.getByRole('button', { name: 'Mara Vell' }).click();
	await expect(page.getByText('The application is holding its calls')).toBeVisible();
	expect(calls).toBe(0);

	const bans = JSON.stringify(await server.control('GET', '/control/blacklist'));
	const address = /"address":"([^"]+)"/.exec(bans)?.[1] ?? '';
	await server.control('DELETE', `/control/blacklist/${encodeURIComponent(address)}`);
	await server.control('PATCH', '/control/settings', { limits: { character: 600 } });
	await expect(page.getByText('The service answers again')).toBeVisible({ timeout: 30_000 });
	await expect(page.getByRole('heading', { name: 'Mara Vell' })).toBeVisible();
	await expect(page.getByRole('list', { name: 'People' })).toContainText('Offline access');
});

test('the gauge follows every answer, and the page measures how long each paint took', async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one');
	await page.getByRole('button', { name: 'Mara Vell' }).click();
	await expect(page.getByRole('heading', { name: 'Mara Vell' })).toBeVisible();
	const measures = () => page.evaluate(() => performance.getEntriesByName('tollgate:gauge').length);
	await expect.poll(measures).toBe(1);
	for (let answer = 2; answer <= 12; answer += 1) {
		await page.getByRole('button', { name: 'Ask anew' }).click();
		await expect(page.getByRole('meter', { name: '/ws/v2.0/character/*' })).toHaveAttribute(
			'aria-valuenow',
			String(600 - answer)
		);
		await expect.poll(measures).toBe(answer);
	}
});
