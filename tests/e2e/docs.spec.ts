import * as v from 'valibot';
import { docHref, docPages } from '#features/docs/doc-pages.ts';
import { followLink, hydrated } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

test('the sidebar, the contents and the next page lead through the documentation', async ({ page }) => {
	await page.goto('/');
	await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Documentation' }).click();
	const sidebar = page.getByRole('navigation', { name: 'Documentation' });
	await sidebar.getByRole('link', { name: 'Specification' }).click();
	await expect(page).toHaveTitle(/^Specification/);
	await sidebar.getByRole('link', { name: '8.5 Status' }).click();
	await expect(page.getByRole('heading', { name: '8.5 Status' })).toBeInViewport();
	await expect(sidebar.getByRole('link', { name: '8.5 Status' })).toHaveAttribute('aria-current', 'location');
	await page.getByRole('link', { name: 'Decisions', exact: true }).last().click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('Where the specification is silent');
});

test('the filter shows the decisions that contain all words, also those typed before the scripts ran', async ({
	page
}) => {
	let release = (): void => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	await page.route('**/*.js', (route) => held.then(() => route.continue()));
	await page.goto('/docs/decisions/', { waitUntil: 'commit' });
	await page.getByLabel('Filter decisions').fill('refresh token installed');
	release();
	await expect(page.getByRole('row')).toHaveCount(2);
	await expect(page.getByRole('rowheader', { name: 'access_type of an installed application' })).toBeVisible();
	await page.getByLabel('Filter decisions').fill('no such words');
	await expect(page.getByText('No row contains “no such words”.')).toBeVisible();
});

test(
	'the palette finds an error code and opens its row, in a sandbox too',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		const { base_url } = v.parse(
			v.object({ base_url: v.string() }),
			await server.control('POST', '/control/sandboxes')
		);
		await page.goto(`${base_url}/docs/`);
		await hydrated(page);
		await page.getByRole('button', { name: /Search/ }).click();
		await page.getByRole('combobox').fill('invalid_grant');
		await page.getByRole('option', { name: 'invalid_grant' }).click();
		await expect(page).toHaveURL(`${base_url}/docs/errors/#invalid_grant`);
		await expect(page.getByRole('rowheader', { name: 'invalid_grant' })).toBeInViewport();
	}
);

test(
	'a section badge opens its section, and a heading copies its link',
	{ tag: '@nightly' },
	async ({ page, context }) => {
		await context.grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.goto('/ws/oauth2/auth/?client_id=unknown');
		await page.getByRole('link', { name: 'section 2.1' }).click();
		const heading = page.getByRole('heading', { name: '2.1 Authorization request' });
		await expect(heading).toBeInViewport();
		await hydrated(page); // before, the link only opens the section
		await page.getByRole('link', { name: 'Link to “2.2 Authorization response”' }).click();
		await expect(page.getByText('Link copied').first()).toBeVisible();
		const copied = await page.evaluate(() => navigator.clipboard.readText());
		expect(copied).toMatch(/\/docs\/specification\/#section-2-2$/);
	}
);

test(
	'commands name the file of the certificate authority on the machine of the server',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await page.goto('/docs/your-client/');
		await expect(page.getByRole('cell', { name: `curl --cacert ${server.caFile} …` })).toBeVisible();
		await expect(page.getByRole('group', { name: 'walk.sh' })).toContainText(`CA=${server.caFile}\n`);
	}
);

test('no page of the documentation is wider than a phone', { tag: '@nightly' }, async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 800 });
	await page.goto('/docs/');
	await hydrated(page);
	const wide: string[] = [];
	for (const { name } of docPages) {
		await followLink(page, docHref('', name));
		if ((await page.evaluate(() => document.documentElement.scrollWidth)) > 390) wide.push(name);
	}
	expect(wide).toEqual([]);
});

test('on paper there is the content alone', { tag: '@nightly' }, async ({ page }) => {
	await page.goto('/docs/control-api/');
	await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
	await expect(page.getByRole('heading', { name: 'Control API' })).toBeVisible();
	await expect(page.getByRole('navigation')).toHaveCount(0);
	await expect(page.getByRole('banner')).toHaveCount(0);
	await expect(page.getByRole('button', { name: /Copy/ })).toHaveCount(0);
	await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
});

test.describe('without scripts', () => {
	test.use({ javaScriptEnabled: false });

	test('the documentation is complete, and offers nothing that has no effect', async ({ page }) => {
		await page.goto('/docs/decisions/');
		await expect(page.getByRole('row')).not.toHaveCount(0);
		await expect(page.getByLabel('Filter decisions')).toBeHidden();
		await expect(page.locator('button:visible')).toHaveCount(0);
		await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Errors' }).click();
		await expect(page.getByRole('rowheader', { name: 'invalid_grant' })).toBeVisible();
	});
});
