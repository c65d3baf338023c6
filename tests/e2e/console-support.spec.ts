import { createSandbox } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';
import { expectUsable } from './reflow.ts';

test('a blacklisted user files a ticket by keyboard, and the owner replies and unblocks', async ({ page, server }) => {
	await server.control('PATCH', '/control/settings', { limits: { character: 0, blacklist_after_refused: 2 } });
	await page.goto('/console/rate-limits');
	await expect(page.getByText('Limit reached').first()).toBeVisible();
	await page.evaluate(async () => {
		for (let count = 0; count < 2; count++) await fetch('/ws/v2.0/character/x').catch(() => undefined);
	});
	await page.getByRole('button', { name: 'Reload' }).press('Enter');
	await expect(page.getByText(/^Your address .* is blacklisted$/)).toBeVisible();
	await expect(page.getByRole('meter', { name: '/ws/v2.0/character/*' })).toHaveAttribute('aria-valuenow', '0');
	await page.getByText('The same from your client').click();
	await expect(page.getByRole('group', { name: 'Body' })).toContainText('"state": "blacklisted"');

	await page.getByRole('link', { name: 'File a support ticket' }).press('Enter');
	await expect(page).toHaveURL('/console/rate-limits#support');
	const reason = page.getByLabel('What happened?');
	await page.getByLabel('What did you change?').fill('It waits now.');
	await page.getByRole('button', { name: 'File ticket' }).press('Enter');
	await expect(reason).toBeFocused();
	await expect(reason).toHaveAttribute('aria-invalid', 'true');
	await expect(page.getByLabel('What did you change?')).toHaveValue('It waits now.');
	await reason.fill('A loop in my test.');
	await page.getByRole('button', { name: 'File ticket' }).press('Enter');
	const ticket = page.getByRole('list', { name: 'Tickets' }).getByRole('listitem');
	await expect(ticket).toContainText('Open');
	await expect(reason).toHaveValue('');

	await ticket.getByRole('button', { name: 'Send reply' }).press('Enter');
	await expect(ticket.getByLabel('Reply')).toBeFocused();
	await page.keyboard.type('Thanks.');
	await ticket.getByRole('button', { name: 'Unblock' }).press('Enter');
	await expect(ticket).toContainText('Unblocked');
	await expect(ticket).toContainText('Thanks.');
	await expect(page.getByText(/is not blacklisted$/)).toBeVisible();
});

test('a visitor without the key sees the form and own tickets only', { tag: '@nightly' }, async ({ page, server }) => {
	await page.goto(`${await createSandbox(server)}/console/support`);
	await expect(page.getByRole('heading', { name: 'Your tickets' })).toBeVisible();
	await page.getByLabel('What happened?').fill('A test.');
	await page.getByLabel('What did you change?').fill('Nothing.');
	await page.getByRole('button', { name: 'File ticket' }).click();
	await expect(page.getByRole('list', { name: 'Tickets' })).toContainText('A test.');
	await expect(page.getByRole('button', { name: 'Unblock' })).toHaveCount(0);
});

test(
	'the owner unblocks the address of this browser without a ticket',
	{ tag: '@nightly' },
	async ({ page, server }) => {
		await server.control('PATCH', '/control/settings', { limits: { character: 0, blacklist_after_refused: 2 } });
		await page.goto('/console/support');
		await page.evaluate(async () => {
			for (let count = 0; count < 2; count++) await fetch('/ws/v2.0/character/x').catch(() => undefined);
		});
		await page.goto('/ratelimiting');
		await expectUsable(page);
		await page.goto('/console/support');
		await page.getByRole('button', { name: 'Unblock this address' }).click();
		await expect(page.getByText(/is not blacklisted$/)).toBeVisible();
		await expect(page.getByRole('button', { name: 'Unblock this address' })).toHaveCount(0);
	}
);
