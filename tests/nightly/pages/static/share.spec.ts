import { expectUsable } from '../../../e2e/reflow.ts';
import { expect, openServed, test } from '../../../e2e/static/fixtures.ts';

test('a link from a site without a server opens its world in the browser of the visitor', async ({
	page,
	browser,
	site
}) => {
	await openServed(page, site);
	await page.goto(`${site.origin}/studio`);
	await page.getByLabel('Or open a world file').setInputFiles('tests/worlds/bank.json');
	await page.getByRole('button', { name: 'Use in a new sandbox' }).click();
	await page.waitForURL(/\/~/);
	await page.goto(page.url().replace(/\/?$/, '/share?from=/viewer'));
	await expect(page).toHaveTitle('Share this demo · Nordbank');
	await expect(page.getByLabel('Works for')).toBeHidden();
	await expect(page.getByRole('heading', { name: 'Links of this sandbox' })).toBeHidden();
	await page.getByText('A page', { exact: true }).click();
	await page.getByLabel('Signed in').selectOption('astrid');
	await page.getByRole('button', { name: 'Create link' }).click();
	const link = (
		await page
			.getByRole('status')
			.getByText(/\/preset#/)
			.innerText()
	).trim();
	await expectUsable(page, 'main');
	const context = await browser.newContext();
	const visitor = await context.newPage();
	await visitor.goto(link.slice(0, -20));
	await expect(visitor.getByText('This preset link does not work')).toBeVisible();
	await expect(visitor.getByText('Nothing was created.')).toBeVisible();
	await visitor.goto(link);
	await expect(visitor.getByRole('heading', { name: 'Nordbank' })).toBeVisible();
	await visitor.getByRole('button', { name: 'Start', exact: true }).click();
	await visitor.waitForURL(/\/~[^/]+\/viewer$/);
	await expect(visitor).toHaveTitle('Budget Planner · Nordbank');
	await expect(visitor.getByRole('button', { name: 'Sign in with Nordbank' })).toBeVisible();
	expect(site.leaks()).toEqual([]);
	await context.close();
});
