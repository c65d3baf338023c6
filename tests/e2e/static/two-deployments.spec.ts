import type { Locator, Page } from '@playwright/test';
import { events, openViewer, signIn, users } from '../demo-clients.ts';
import { anotherTab, control, expect, test, type Site } from './fixtures.ts';

const path = '/demo';

test('BR-03 two deployments on one origin: what is kept in one is neither seen nor erased in the other', async ({
	context,
	served,
	site,
	folders
}) => {
	site.add(path, folders[path]);
	const below: Site = { ...site, base: path, url: `${site.origin}${path}/` };
	const lower = await anotherTab(context, below);
	await openViewer(served);
	await signIn(served, 'player-one');
	await openViewer(lower, path);
	await expect(users(lower)).toBeHidden();
	await signIn(lower, 'player-two');
	await control(served, '', 'POST', 'clock', { advance: 60 });
	expect(await control(lower, path, 'GET', 'clock')).toMatchObject({ offset: 0 });

	await expect(events(lower)).toContainText('Leaving for the service');
	await erase(lower);
	await openViewer(lower, path);
	await expect(users(lower)).toBeHidden();
	await expect(events(lower)).toContainText('Made a state for the next sign-in');
	await expect(log(lower)).not.toContainText('Leaving for the service');
	await openViewer(served);
	await expect(users(served)).toBeVisible();
	await expect(events(served)).toContainText('Leaving for the service');
	expect(await control(served, '', 'GET', 'clock')).toMatchObject({ offset: 60_000 });

	await signIn(lower, 'player-three');
	await erase(served);
	await openViewer(served);
	await expect(users(served)).toBeHidden();
	await openViewer(lower, path);
	await expect(users(lower)).toBeVisible();
	expect(site.leaks()).toEqual([]);
});

function log(page: Page): Locator {
	return page.getByRole('list', { name: 'Client events' });
}

async function erase(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Erase …' }).click();
	const reloaded = page.waitForEvent('load');
	await page.getByRole('button', { name: 'Erase everything' }).click();
	await reloaded;
}
