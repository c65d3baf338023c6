import { readFileSync } from 'node:fs';
import { type Page } from '@playwright/test';
import { hydrated, openViewer, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';
import { parameter } from './request-builder.ts';

const start = (page: Page) => page.getByRole('button', { name: 'Start', exact: true });

/** Creates the link, and opens it as a visitor. */
async function open(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Create link' }).click();
	const link = page.getByRole('status').getByText(/\/preset\?share=/);
	const url = (await link.innerText()).trim();
	await page.goto('/');
	await page.goto(url);
	await start(page).click();
	await page.waitForURL(/\/~/);
	await hydrated(page);
}

/** Gives the sandbox of a page the world of a hospital. */
async function replaceWorld(page: Page): Promise<void> {
	await page.evaluate(
		async (body) => {
			const url = location.pathname.replace(/^(\/~[^/]+).*/, '$1/control/world');
			await fetch(url, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body });
		},
		readFileSync('tests/worlds/hospital.json', 'utf8')
	);
}

test('visitors of a link find the request builder with its mistake', async ({ page }) => {
	await page.goto('/share?from=/request');
	await page.getByLabel('Mistake').selectOption({ label: 'Code exchange: Code used twice' });
	await expectUsable(page, 'main');
	await open(page);
	await expect(page).toHaveURL(/\/~[^/]+\/request\?kind=exchange&mistake=code_twice$/);
	await expect(page.getByRole('button', { name: 'Code used twice', pressed: true })).toBeVisible();
	await expect(page.getByText('The request is sent twice. The second response counts.')).toBeVisible();
});

test('visitors of a link with a password start with it, and read a demo whose controls are locked', async ({
	page
}) => {
	await page.goto('/share');
	await page.getByLabel('Password (optional)').fill('open sesame');
	await page.getByLabel('Lock the controls').check();
	await expectUsable(page, 'main');
	await page.getByRole('button', { name: 'Create link' }).click();
	const url = (
		await page
			.getByRole('status')
			.getByText(/\/preset\?share=/)
			.innerText()
	).trim();
	await page.goto(url);
	await page.getByLabel('Password').fill('open barley');
	await page.keyboard.press('Enter');
	await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/not the password of this demo/);
	await expectUsable(page, 'body');
	await page.getByLabel('Password').fill('open sesame');
	await start(page).click();
	await page.waitForURL(/\/~/);
	const sandbox = /.*\/~[^/]+/.exec(page.url())?.[0] ?? '';
	await page.goto(`${sandbox}/controls`);
	await expect(page.getByRole('heading', { name: 'The controls of this demo are locked' })).toBeVisible();
	await expectUsable(page, 'main');
	await page.getByRole('link', { name: 'Open inspector' }).click();
	await expect(page.getByRole('heading', { level: 1, name: 'Inspector' })).toBeVisible();
	await expect(page.getByRole('heading', { name: 'The controls of this demo are locked' })).toBeHidden();
});

test('visitors of a link see a recorded flow, in a sandbox of their own', { tag: '@nightly' }, async ({ page }) => {
	await openViewer(page);
	await signIn(page, 'player-one');
	await page.goto('/share?from=/inspector');
	const flow = page.getByLabel('Recorded flow');
	await expect(flow.getByRole('option')).toHaveCount(2);
	await flow.selectOption({ index: 1 });
	await expectUsable(page, 'main');
	await open(page);
	await expect(page).toHaveURL(/\/~[^/]+\/moment#/);
	await expect(page.getByRole('heading', { level: 1, name: 'Flow: Signed in' })).toBeVisible();
	await expect(page.getByRole('heading', { name: 'What the client sent' })).toBeVisible();
	await page.goto('/share');
	await expect(page.getByRole('term').filter({ hasText: /^\/moment$/ })).toBeVisible();
});

test('a link that has ended or was edited creates nothing, and says so', async ({ page, server }) => {
	await page.goto('/share');
	await page.getByRole('button', { name: 'Create link' }).click();
	const link = (
		await page
			.getByRole('status')
			.getByText(/\/preset\?share=/)
			.innerText()
	).trim();
	const ends = page.getByRole('button', { name: 'End link' });
	const links = await ends.count();
	await ends.first().click();
	const dialog = page.getByRole('dialog', { name: 'End this link?' });
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await expect(ends).toHaveCount(links);
	await ends.first().click();
	await dialog.getByRole('button', { name: 'End link' }).click();
	await expect(ends).toHaveCount(links - 1);
	// Their records expire meanwhile.
	const idsOf = async () => JSON.stringify(await server.control('GET', '/control/sandboxes')).match(/"id":"[^"]+"/g);
	const before = await idsOf();
	for (const url of [link, `${link}x`, link.slice(0, -3)]) {
		await page.goto(url);
		const notice = page.getByRole('alert').filter({ hasText: 'This share link does not work' });
		await expect(notice).toContainText(
			'It has expired, its sender ended it, or it is incomplete. Ask its sender for another one.'
		);
		await expect(notice.getByRole('link', { name: 'create a sandbox' })).toBeVisible();
	}
	await page.goto(link.replace(/share=.*/, 'share=%3Cscript%3E'));
	await expect(page.getByText('This preset link does not work')).toBeVisible();
	await expectUsable(page, 'main');
	expect(await idsOf()).toEqual(before);
});

test(
	'an open page works after its world was replaced, and the next one shows the new world',
	{ tag: '@nightly' },
	async ({ page }) => {
		await page.goto('/share?from=/request');
		const followed = page.waitForResponse(/\/~[^/]+\/control\/traffic\/stream/);
		await open(page);
		await followed;
		const state = parameter(page, 'state');
		await state.fill('typed before');
		await replaceWorld(page);
		const bar = page.getByRole('complementary', { name: 'World' });
		await expect(bar).toBeVisible();
		await expect(state).toHaveValue('typed before');
		await page.getByRole('navigation').getByRole('link', { name: 'Inspector' }).click();
		await expect(page).toHaveTitle('Inspector · Saint Brigid Hospital');
		await expect(bar).toBeHidden();
		// The browser shows its copy of the page, which says that it is an earlier one.
		await page.goBack();
		await expect(bar).toBeVisible();
		await bar.getByRole('button', { name: 'Reload' }).click();
		await expect(page).toHaveTitle('Request builder · Saint Brigid Hospital');
	}
);

test(
	'the page of a visitor says that its sandbox has another world, and other visitors keep theirs',
	{ tag: '@nightly' },
	async ({ page, browser, server }) => {
		await page.goto('/share');
		await page.getByText('A page', { exact: true }).click();
		await page.getByLabel('Page', { exact: true }).selectOption('/viewer');
		await page.getByRole('button', { name: 'Create link' }).click();
		const status = page.getByRole('status').getByText(/\/preset\?share=/);
		const link = (await status.innerText()).trim();
		const other = await browser.newPage({ baseURL: server.origin });
		for (const visitor of [page, other]) {
			await visitor.goto(link);
			await start(visitor).click();
			await visitor.waitForURL(/\/~[^/]+\/viewer$/);
			await hydrated(visitor);
		}
		await replaceWorld(page);
		for (const visitor of [page, other])
			await visitor.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
		const bar = page.getByRole('complementary', { name: 'World' });
		await expect(bar).toContainText(
			'This sandbox has another world now. Its earlier users, characters and sign-ins have ended.'
		);
		await expectUsable(page, '[aria-label=World]');
		await bar.getByRole('button', { name: 'Reload' }).click();
		await expect(page).toHaveTitle('Round Sheet · Saint Brigid Hospital');
		await other.reload();
		await expect(other).toHaveTitle('Character Viewer · Tollgate');
		await expect(other.getByRole('complementary', { name: 'World' })).toBeHidden();
		await other.close();
	}
);
