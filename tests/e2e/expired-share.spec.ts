import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import bank from '../worlds/bank.json' with { type: 'json' };
import { hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-clock-'));
const clockFile = join(folder, 'clock');
const worldFile = join(folder, 'world.json');
// Its sandboxes live longer than the link.
writeFileSync(worldFile, JSON.stringify({ ...bank, sandboxes: { idle_hours: 72 } }));

test.use({
	settings: {
		NODE_OPTIONS: `--import=${new URL('../run/later-clock.js', import.meta.url).href}`,
		CLOCK_FILE: clockFile,
		WORLD: worldFile
	}
});
test.afterAll(() => rmSync(folder, { recursive: true }));

test('a visitor reads that a link has expired, and keeps the sandbox that it created before', async ({
	page,
	server
}) => {
	const preset = { format: 'tollgate-preset', version: 1, start: { path: '/viewer' } };
	const { url } = v.parse(
		v.object({ url: v.string() }),
		await server.control('POST', '/control/shares', { preset, days: 1 })
	);
	// A press before the scripts of the page run waits for them.
	let release = (): void => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	await page.route('**/*.js', (route) => held.then(() => route.continue()));
	await page.goto(url, { waitUntil: 'commit' });
	const start = page.getByRole('button', { name: 'Start', exact: true });
	await start.click();
	await expect(start).toHaveAttribute('aria-busy', 'true');
	release();
	await page.waitForURL(/\/~[^/]+\/viewer$/);
	await hydrated(page);
	const own = page.url();
	// An open page reads its sandbox again when the clock moves.
	await page.goto('about:blank');
	const before = await server.control('GET', '/control/sandboxes');

	writeFileSync(clockFile, '');
	await page.goto(url);
	const notice = page.getByRole('alert').filter({ hasText: 'This share link does not work' });
	await expect(notice).toContainText(
		'It has expired, its sender ended it, or it is incomplete. Ask its sender for another one.'
	);
	await expect(notice).toContainText('Nothing was created. You can create a sandbox without it.');
	await expectUsable(page, 'main');
	expect(await server.control('GET', '/control/sandboxes')).toEqual(before);
	await page.goto(own);
	await hydrated(page);
	await expect(page.getByRole('button', { name: 'Sign in with Nordbank' })).toBeVisible();
});
