import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { expectAccessible } from './axe.ts';
import { importSource } from '#tooling/import-source.js';
import type * as readHars from '#evidence/har/read-har.ts';
import type * as watchHars from '#evidence/har/to-watch-har.ts';
import { exampleHar } from '#features/traffic/example-har.ts';

/** Values that must be nowhere after the file was read. */
const canaries = ['f0Qk3WbB7sYhT2nM9aA', 'aut7Gx0pVq2LwZ8c31c', 'correct horse', 'c2lnbmF0dXJl', '81f2c0de', 'mara@'];

test('a HAR of another provider is read, kept without its secrets, explained and tried in a sandbox', async ({
	page,
	context
}) => {
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	const logged: string[] = [];
	page.on('console', (message) => logged.push(message.text()));
	const sent: string[] = [];
	await page.goto('/inspector');
	await expect(page.getByRole('heading', { name: 'Explain a sign-in of any provider' })).toBeVisible();

	// A cut file: a sentence, and what can still be read.
	await page.getByRole('button', { name: 'Open HAR' }).click();
	await expect(page.getByRole('link', { name: 'Requests of this sandbox' })).toBeVisible();
	const whole = exampleHar();
	const choose = (name: string, text: string) =>
		page.getByLabel('HAR file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
	await choose('cut.har', whole.slice(0, whole.length / 2));
	await expect(page.getByRole('heading', { name: 'This file cannot be read' })).toBeFocused();
	await expect(page.getByRole('button', { name: /^Read the first \d+ entries$/ })).toBeVisible();
	await expectAccessible(page, 'main');
	await page.getByRole('button', { name: 'Choose another file' }).click();

	// What was found, before anything is kept.
	page.on('request', (request) => sent.push(request.postData() ?? ''));
	await choose('sign-in.har', whole);
	await expect(page.getByRole('heading', { name: '14 of 16 requests belong to a sign-in' })).toBeFocused();
	expect((await storedIn(page)).includes('[code 1]')).toBe(false);
	await expectAccessible(page, 'main');
	await page.getByRole('button', { name: 'Keep 14 exchanges' }).click();
	await expect(
		page.getByRole('button', { name: /app\.fabrikam\.example\/login Sign-in starts/ }).first()
	).toBeFocused();
	await expect(page.getByRole('status').filter({ hasText: '14 exchanges kept. 2 rules failed.' })).toHaveCount(1);
	await expect(page.getByText('Token request: not in this file').first()).toBeVisible();
	await expect(page.getByRole('region', { name: 'Inspector' })).toContainText('From a file · no checks');

	// It survives a reload. The keyboard opens an exchange and closes it.
	await page.reload();
	const first = page.getByRole('button', { name: /\/callback Code received/ }).first();
	await first.focus();
	await page.keyboard.press('Enter');
	const detail = page.getByRole('region', { name: 'Selected exchange' });
	await expect(detail).toContainText('from exchange 6');
	await expectAccessible(page, 'main');
	await page.keyboard.press('Escape');
	await expect(first).toBeFocused();

	// The sandbox goes on beside the file: its requests are in the same timeline.
	await expect(page).toHaveTitle(/^sign-in\.har · Inspector/);
	await page.evaluate(() => fetch('/ws/oauth2/token/', { method: 'POST' }));
	const own = page.getByRole('button', { name: /POST \/ws\/oauth2\/token/ });
	await own.click();
	await expect(detail.getByRole('button', { name: 'Edit and resend' })).toBeVisible();
	await page.keyboard.press('Escape');
	await page.getByText('From file', { exact: true }).click();
	await expect(own).toHaveCount(0);
	await page.getByText('Own', { exact: true }).click();
	await expect(first).toHaveCount(0);
	await page.getByText('All', { exact: true }).click();

	// The requests of the client's process, which belong to the same sign-in.
	await page.getByRole('button', { name: 'Add back channel' }).click();
	const dialog = page.getByRole('dialog', { name: 'Add back channel' });
	const add = (name: string, text: string) =>
		dialog
			.getByLabel('File of the client')
			.setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
	await add('browser.har', whole);
	await expect(dialog).toContainText('This file has requests of a browser only.');
	await add('watch.har', await clientHar());
	await expect(dialog).toContainText('1 exchange matched, 0 unmatched');
	await expectAccessible(page, 'dialog[open]');
	await page.keyboard.press('Escape');
	await expect(page.getByRole('button', { name: /\/token from watch access_token/ })).toBeVisible();

	// The file has no both ends.
	await page.keyboard.press('i');
	for (const view of ['Diagram', 'Tokens', 'Rate limits']) {
		await page.getByText(view, { exact: true }).click();
		await expect(page.getByText('Traffic of another provider.')).toBeVisible();
		await expectAccessible(page, 'main');
	}

	// A finding: its text without hosts, and a request in a sandbox that shows the same.
	await page.getByText('Report card', { exact: true }).click();
	await expect(page.getByText('Traffic of another provider.')).toBeVisible();
	await expect(page.getByRole('region', { name: 'Both ends' })).toHaveCount(0);
	await page.getByRole('button', { name: /^The token is renewed before it expires/ }).click();
	await expectAccessible(page, 'main');
	await page.getByRole('button', { name: /^Copy finding without hosts/ }).click();
	const copied = await page.evaluate(() => navigator.clipboard.readText());
	expect(copied).toContain('GET /v1/accounts');
	expect(copied).not.toMatch(/meridian|fabrikam/);
	const stored = (await storedIn(page)) + page.url() + (await page.content());
	expect(stored).toContain('[code 1]');
	for (const canary of canaries) {
		expect(stored.includes(canary), canary).toBe(false);
		expect([...logged, ...sent, copied].join('\n')).not.toContain(canary);
	}
	await page.getByRole('button', { name: 'Try this in a sandbox' }).click();
	await expect(page).toHaveURL(/\/~[\w-]+\/request\?kind=character&mistake=expired_token/);
	await expect(page.getByRole('heading', { name: 'Request builder' })).toBeVisible();
});

async function load<Module>(file: string): Promise<Module> {
	return (await importSource<Module>(process.cwd(), file)).module;
}

/** What `tollgate watch` writes of the token request of the first sign-in. */
async function clientHar(): Promise<string> {
	// With its content, which Playwright cannot load.
	const { readHar } = await load<typeof readHars>('src/evidence/har/read-har.ts');
	const { toWatchHar } = await load<typeof watchHars>('src/evidence/har/to-watch-har.ts');
	const form = { grant_type: 'authorization_code', code: 'aut7Gx0pVq2LwZ8c31c' };
	const reading = readHar(
		JSON.stringify({
			log: {
				entries: [
					{
						startedDateTime: '2026-11-24T09:12:20.300Z',
						time: 40,
						request: {
							method: 'POST',
							url: 'https://auth.meridian.example/token',
							postData: { mimeType: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() }
						},
						response: {
							status: 200,
							content: { text: '{"access_token":"2YotnFZFEjr1zCsicMWpAA","refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA"}' }
						}
					}
				]
			}
		})
	);
	if (reading.kind !== 'read') throw new Error(reading.error);
	return JSON.stringify(toWatchHar(reading, '1'));
}

/** All that this browser stores, as text. */
function storedIn(page: Page): Promise<string> {
	return page.evaluate(async () => {
		const all: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
		for (const { name = '' } of await indexedDB.databases()) {
			const database = await new Promise<IDBDatabase>((resolve, reject) => {
				const opening = indexedDB.open(name);
				opening.onsuccess = () => resolve(opening.result);
				opening.onerror = () => reject(new Error(name));
			});
			for (const store of database.objectStoreNames) {
				const reading = database.transaction(store).objectStore(store).getAll();
				await new Promise((resolve) => (reading.onsuccess = resolve));
				all.push(reading.result);
			}
			database.close();
		}
		return JSON.stringify(all);
	});
}
