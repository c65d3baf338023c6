import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { agree, expectStep, leave, openViewer, people, show, signIn, signInTwo } from './viewer-walk.ts';

/** Waits until the storage of the browser holds something: what the page keeps, it keeps a moment after it shows it. */
async function expectKept(page: Page, key: string, words: RegExp): Promise<void> {
	const read = (name: string) =>
		new Promise<string>((resolve, reject) => {
			const opening = indexedDB.open('tollgate-client');
			opening.onerror = () => reject(new Error('no storage'));
			opening.onsuccess = () => {
				const asking = opening.result.transaction('kept').objectStore('kept').get(name);
				asking.onsuccess = () => {
					opening.result.close();
					resolve(JSON.stringify(asking.result ?? null));
				};
			};
		});
	await expect.poll(() => page.evaluate(read, key)).toMatch(words);
}

test('a reload finds the page as it was: person, switches, watch list, gauges', async ({ page, context, server }) => {
	await signInTwo(page);
	const first = people(page).getByRole('button', { name: /Person 1/ });
	await first.click();

	await show(page, 'Mara Vell');
	await page.getByRole('switch', { name: 'Throttle' }).uncheck();
	await page.getByRole('switch', { name: 'Cache' }).uncheck();
	const query = page.getByRole('radio', { name: 'Query' });
	await page.getByText('Query', { exact: true }).click();
	const resourceXml = page.getByRole('group', { name: 'Answer in' }).getByRole('radio', { name: 'XML' });
	await page.getByRole('group', { name: 'Answer in' }).getByText('XML').click();
	await expectKept(page, 'switches', /"credential":"query".*"format":"xml"|"format":"xml".*"credential":"query"/);
	await expectKept(page, 'meters', /"remaining":599/);

	await page.reload();
	await expect(first).toHaveAttribute('aria-pressed', 'true');
	await expect(page.getByRole('switch', { name: 'Throttle' })).not.toBeChecked();
	await expect(page.getByRole('switch', { name: 'Cache' })).not.toBeChecked();
	await expect(page.getByRole('switch', { name: 'Poll only' })).toBeChecked();
	await expect(query).toBeChecked();
	await expect(resourceXml).toBeChecked();
	const gauge = page.getByRole('meter', { name: '/ws/v2.0/character/*' });
	await expect(gauge).toHaveAttribute('aria-valuetext', /^599 of 600 calls left, resets in (?:1 hour|5\d minutes)/);

	// Watched only now: a watched character is asked for again as time goes on, which its gauge shows.
	await show(page, 'Mara Vell');
	await page.getByRole('button', { name: 'Watch', exact: true }).click();
	await expectKept(page, 'watches', /Mara Vell/);
	await page.reload();
	await expect(page.getByRole('list', { name: 'Watched characters' })).toContainText('Mara Vell');

	const other = await context.newPage();
	await openViewer(other);
	await expect(other.getByRole('switch', { name: 'Throttle' })).not.toBeChecked();
	await other.getByRole('switch', { name: 'Throttle' }).check();
	await expect(page.getByRole('switch', { name: 'Throttle' })).toBeChecked();

	await page.getByRole('button', { name: 'Stop watching Mara Vell' }).click(); // or it begins the next window
	await expectKept(page, 'watches', /^(?!.*Mara Vell)/);
	await server.control('POST', '/control/clock', { advance: 3700 });
	await page.getByRole('button', { name: 'Ask ratelimits' }).click(); // any answer tells the new time
	await expectKept(page, 'meters', /ratelimits/);
	await page.reload();
	await expect(page.getByRole('meter', { name: '/ws/v2.0/ratelimits' })).toHaveAttribute('aria-valuenow', '149');
	await expect(gauge).toHaveCount(0); // its window has passed meanwhile
});

test('a reload finds what the tab had in front of it: choices, character, table', async ({ page, picture }) => {
	await openViewer(page);
	await page.getByRole('checkbox', { name: 'Count their credits' }).check();
	await page.getByText('Offline', { exact: true }).click();
	await page.getByRole('switch', { name: 'PKCE' }).uncheck();
	await expectKept(page, 'desks', /"pkce":false/);
	await page.reload();
	await expect(page.getByRole('checkbox', { name: 'Count their credits' })).toBeChecked();
	await expect(page.getByRole('radio', { name: 'Offline' })).toBeChecked();
	await expect(page.getByRole('switch', { name: 'PKCE' })).not.toBeChecked();

	await signIn(page, 'player-one');
	await show(page, 'Mara Vell');
	await page.getByRole('button', { name: 'Ask ratelimits' }).click();
	const table = page.getByRole('table', { name: 'What ratelimits says' });
	await expect(table).toContainText('/ws/v2.0/character/*');
	await expectKept(page, 'desks', /Mara Vell.*"records":\[\{/);
	await page.reload();
	await expect(page.getByRole('heading', { name: 'Mara Vell' })).toBeVisible();
	await expect(page.getByText('from the cache')).toBeVisible();
	await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Mara Vell');
	await expect(table).toContainText('/ws/v2.0/character/*');
	await picture('viewer-after-reload');

	await page.getByRole('button', { name: 'Add', exact: true }).click();
	await expect(page.getByRole('checkbox', { name: 'Count their credits' })).not.toBeChecked();
	await page.getByRole('button', { name: 'Sign out' }).click();
	await expect(page.getByText('The service ended the access')).toBeVisible();
	await expectKept(page, 'desks', /"look":null/);
	await page.reload();
	await expect(page.getByRole('button', { name: 'Continue to the service' })).toBeEnabled();
	await expectKept(page, 'desks', /^(?!.*Mara Vell)/);
});

test('storage that is damaged does not break the page', async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one');
	await show(page, 'Mara Vell');
	await expectKept(page, 'meters', /"remaining":599/);
	await page.evaluate(
		() =>
			new Promise<void>((resolve) => {
				const opening = indexedDB.open('tollgate-client');
				opening.onsuccess = () => {
					const writing = opening.result.transaction('kept', 'readwrite');
					const store = writing.objectStore('kept');
					for (const key of ['switches', 'choices', 'desks', 'watches', 'meters', 'offsets']) store.put('none', key);
					writing.oncomplete = () => {
						opening.result.close();
						resolve();
					};
				};
			})
	);
	await page.reload();
	await expect(people(page)).toContainText('Person 1');
	await show(page, 'Mara Vell');
	await expect(page.getByRole('heading', { name: 'Mara Vell' })).toBeVisible();
});

test('tokens in XML: the exchange and the refresh, and how the client reads them', async ({ page, picture }) => {
	await openViewer(page);
	const choice = page.getByRole('group', { name: 'Tokens come in' });
	await choice.getByText('XML').click();
	await expect(page.getByText('oauth4webapi reads JSON only')).toBeVisible();
	await picture('viewer-token-format');
	const exchange = page.waitForResponse(/\/ws\/oauth2\/token\/$/);
	await leave(page, { offline: true });
	await agree(page, 'player-one');
	expect((await exchange).headers()['content-type']).toContain('xml');
	await expectStep(page, 'Read the XML, and handed its fields to oauth4webapi as JSON');

	await expect(choice.getByRole('radio', { name: 'XML' })).toBeChecked();
	const refresh = page.waitForResponse(/\/ws\/oauth2\/token\/$/);
	await page.getByRole('button', { name: 'Refresh now' }).click();
	expect(await (await refresh).text()).toContain('<OAuth>');
	await expect(people(page)).toContainText('once');
	await choice.getByText('JSON').click();
	const json = page.waitForResponse(/\/ws\/oauth2\/token\/$/);
	await page.getByRole('button', { name: 'Refresh now' }).click();
	expect((await json).headers()['content-type']).toContain('json');
	await expect(people(page)).toContainText('2 times');
});
