import { allow } from '../../../e2e/demo-clients.ts';
import { expect, test } from '../../../e2e/static/fixtures.ts';

test('the demo client takes the exam in the static build, which continues after a reload', async ({
	served,
	site,
	context
}) => {
	await served.goto(`${site.url}exam`);
	await expect(served.getByText('Only the demo client can take the exam here')).toBeVisible();
	await served.getByRole('button', { name: 'Start exam' }).click();
	const opened = context.waitForEvent('page');
	await served.getByRole('button', { name: 'Open sign-in page' }).click();
	const client = await opened;
	await client.getByRole('button', { name: 'Sign in with Tollgate' }).click();
	await expect(served.getByRole('heading', { name: 'Step 1 of 28' })).toBeVisible();
	await allow(client);
	const task = served.getByText('Make your client read Mara Vell.');
	await expect(task).toBeVisible();
	await served.reload();
	await expect(served.getByRole('heading', { name: 'Step 1 of 28' })).toBeVisible();
	await served.getByRole('button', { name: 'Skip' }).click();
	await expect(served.getByRole('heading', { name: 'Step 2 of 28' })).toBeVisible();
	await served.reload();
	await expect(served.getByRole('heading', { name: 'Step 2 of 28' })).toBeVisible();
	expect(site.leaks()).toEqual([]);
});

test('the pages of a class say that it needs a server', async ({ served, site }) => {
	await served.goto(`${site.url}class`);
	await expect(served.getByRole('heading', { name: 'A class needs a server' })).toBeVisible();
	await expect(served.getByText('CLASS_SEATS=30 npx tollgate')).toBeVisible();
	await served.goto(`${site.url}join`);
	await expect(served.getByText('A class needs a server')).toBeVisible();
});
