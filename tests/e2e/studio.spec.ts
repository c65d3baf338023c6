import { hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

test('a partner opens a world, corrects a mistake, and uses it in a new sandbox', async ({ page, server }) => {
	const foreign: string[] = [];
	page.on('request', (request) => {
		const url = request.url();
		if (!url.startsWith(server.origin) && !url.startsWith('data:')) foreign.push(url);
	});
	await page.goto('/studio');
	await hydrated(page);
	await page.getByLabel('Or open a world file').setInputFiles('tests/worlds/bank.json');
	const preview = page.frameLocator('iframe');
	await expect(preview.getByRole('heading', { name: 'Budget Planner wants access to your account' })).toBeVisible();
	await page.getByLabel('Color of light pages').fill('#ffff00');
	await expect(page.getByText(/brand\.accent\.light: Its contrast/)).toBeVisible();
	await expect(page.getByRole('button', { name: 'Use in a new sandbox' })).toBeDisabled();
	await page.getByRole('button', { name: 'Undo' }).click();
	await page.getByRole('button', { name: /^Resources/ }).click();
	await page.getByRole('group', { name: 'Resources' }).getByRole('button').first().click();
	const fields = page.getByLabel('Fields, one per line');
	await fields.fill('type: Current\n\nbalance: 12');
	await fields.press('Enter');
	await expect(fields).toHaveValue('type: Current\n\nbalance: 12\n');
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(fields).toHaveValue('type: Current\nbalance: 4120.5\ncurrency: DKK');
	await page.getByRole('button', { name: /^Applications/ }).click();
	await page.getByRole('button', { name: 'Budget Planner' }).click();
	await expect(page.getByLabel('client_secret')).toHaveValue('planner-secret');
	await page.reload();
	await expect(page.getByText('Your earlier changes are restored. Undo removes them.')).toBeVisible();
	await page.getByRole('button', { name: 'Texts, links and picture' }).click();
	await expect(page.getByLabel('Headline of the front page')).toHaveValue(
		'Build on accounts that your customers already have'
	);
	await page.getByLabel('Headline of the front page').fill('<script>alert(1)</script>');
	await page.getByText('Front page', { exact: true }).click();
	await expect(preview.getByRole('heading', { name: '<script>alert(1)</script>' })).toBeVisible();
	await expectUsable(page, 'main');
	await page.getByRole('button', { name: 'Use in a new sandbox' }).click();
	await page.waitForURL(/\/~/);
	await expect(page).toHaveTitle('Nordbank: <script>alert(1)</script>');
	await expect(page.getByRole('heading', { name: '<script>alert(1)</script>' })).toBeVisible();
	const image = (await page.locator('meta[property="og:image"]').getAttribute('content')) ?? '';
	expect(image).toMatch(/\/~[^/]+\/picture\.png$/);
	const picture = await page.evaluate(async (url) => {
		const response = await fetch(url);
		return { type: response.headers.get('content-type'), size: (await response.arrayBuffer()).byteLength };
	}, image);
	expect(picture.type).toBe('image/png');
	expect(picture.size).toBeGreaterThan(2000);
	await page.goto(page.url().replace(/\/?$/, '/share'));
	await page.getByRole('button', { name: 'Create link' }).click();
	const link = await page
		.getByRole('status')
		.getByText(/\/preset\?share=/)
		.innerText();
	const linkPage = await page.evaluate(async (url) => (await fetch(url)).text(), link.trim());
	expect(linkPage).toContain('<title>Demo · Nordbank</title>');
	expect(linkPage).toMatch(/<meta property="og:image" content="[^"]+\/picture\.png\?share=[\w-]+"/);
	await page.evaluate(() => fetch(location.pathname.replace(/share$/, 'control/world'), { method: 'DELETE' }));
	await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
	await expect(page.getByText('This sandbox has another world now.')).toBeVisible();
	await page.getByRole('complementary', { name: 'World' }).getByRole('button', { name: 'Reload' }).click();
	await expect(page).toHaveTitle('Share this demo · Tollgate');
	expect(foreign).toEqual([]);
});

test('a studio in a second tab asks before it replaces the world of the first', async ({ page, context }) => {
	await page.goto('/studio');
	await hydrated(page);
	await page.getByRole('button', { name: 'Use in a new sandbox' }).click();
	await page.waitForURL(/\/~[^/]+$/);
	const studio = `${page.url()}/studio`;
	const second = await context.newPage();
	for (const [tab, name] of [
		[page, 'First'],
		[second, 'Second']
	] as const) {
		await tab.goto(studio);
		await hydrated(tab);
		await tab.getByRole('region', { name: 'Brand' }).getByLabel('Name', { exact: true }).fill(name);
	}
	await page.getByRole('button', { name: 'Use in this sandbox' }).click();
	await page.getByRole('dialog', { name: 'Use this world?' }).getByRole('button', { name: 'Use world' }).click();
	await expect(page).toHaveTitle(/^First: /);
	await expect(second.getByText('This sandbox has another world now.')).toBeVisible();
	// Also after a reload, which shows the new brand around the earlier draft.
	for (const end of ['Cancel', 'Replace world']) {
		await second.getByRole('button', { name: 'Use in this sandbox' }).click();
		const dialog = second.getByRole('dialog', { name: 'Replace the world?' });
		await expect(dialog).toContainText('was changed elsewhere after you began');
		await dialog.getByRole('button', { name: end }).click();
		if (end === 'Cancel') await second.reload();
	}
	await expect(second).toHaveTitle(/^Second: /);
});

test(
	'a partner starts from an example, whose texts and colors follow the name and the logo',
	{ tag: '@nightly' },
	async ({ page }) => {
		await page.goto('/studio');
		await hydrated(page);
		await page.getByRole('button', { name: 'Hospital' }).click();
		await page.getByRole('button', { name: 'Nora Quinn' }).click();
		await page.getByRole('region', { name: 'Brand' }).getByLabel('Name', { exact: true }).fill('Saint Brigid');
		const svg =
			'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><path fill="#8a1c4a" d="M8 8h32v32H8z"/></svg>';
		const logo = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) };
		await page.getByLabel('Logo', { exact: true }).setInputFiles(logo);
		await expect(page.getByLabel('Color of light pages')).toHaveValue('#8a1c4a');
		await expect(page.getByLabel('E-mail')).toHaveValue('nora@saint-brigid.example');
		await page.getByRole('button', { name: 'Texts, links and picture' }).click();
		await expect(page.getByText('There is one.')).toBeVisible();
		await expectUsable(page, 'main');
		await page.getByRole('button', { name: 'Use in a new sandbox' }).click();
		await page.waitForURL(/\/~/);
		await expect(page).toHaveTitle('Saint Brigid: Connect your application to Saint Brigid');
	}
);
