import { fileAndDecideTicket } from './console-journeys.ts';
import { createSandbox } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

test('a blacklisted user files a ticket by keyboard, and the owner replies and unblocks', async ({ page, server }) => {
	await fileAndDecideTicket(page, (method, path, body) => server.control(method, `/control/${path}`, body));
});

test('a visitor without the key sees the form and own tickets only', async ({ page, server }) => {
	await page.goto(`${await createSandbox(server)}/console/support`);
	await expect(page.getByRole('heading', { name: 'Your tickets' })).toBeVisible();
	await page.getByLabel('Why should your address be unblocked?').fill('A test.');
	await page.getByLabel('What did you change?').fill('Nothing.');
	await page.getByRole('button', { name: 'File ticket' }).click();
	await expect(page.getByRole('list', { name: 'Tickets' })).toContainText('A test.');
	await expect(page.getByRole('button', { name: 'Unblock' })).toHaveCount(0);
});
