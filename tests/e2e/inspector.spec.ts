import { openViewer, signIn } from './demo-clients.ts';
import { expect, test } from './fixtures.ts';

test('the inspector shows a flow with both channels and the events of the client, filters it and links to it', async ({
	page
}) => {
	const inspector = await page.context().newPage();
	await inspector.goto('/inspector');
	await expect(inspector.getByRole('heading', { level: 1, name: 'Inspector' })).toBeVisible();
	await openViewer(page);
	await signIn(page, 'player-one');
	const lines = inspector.getByRole('treeitem');
	// The flow, before its requests.
	await expect(lines.filter({ hasText: 'Signed in' }).first()).toContainText('player-one');
	await expect(lines.filter({ hasText: 'Saved the tokens' })).toBeVisible();
	const all = await lines.allInnerTexts();
	// Requests of the test itself can come before.
	const texts = all.slice(all.findIndex((text) => text.includes('Generated state')));
	const order = ['Generated state', '/ws/oauth2/auth', 'state verified', 'Exchanging the code', '/token', 'Saved'];
	const found = order.map((part) => texts.findIndex((text) => text.includes(part)));
	expect(found, texts.join('\n')).toEqual([...found].sort((one, other) => one - other));
	expect(found).not.toContain(-1);

	await inspector.getByRole('combobox', { name: 'Endpoint' }).selectOption('token');
	await expect(inspector).toHaveURL(/\?endpoint=token$/);
	await expect(lines.filter({ has: inspector.getByRole('img', { name: 'Front channel' }) })).toHaveCount(0);
	await inspector.getByRole('tree').focus();
	await inspector.keyboard.press('End');
	await inspector.keyboard.press('Enter');
	await expect(inspector).toHaveURL(/\?endpoint=token&request=[\w-]+$/);
	const link = inspector.url();
	await inspector.goBack();
	await expect(inspector.getByRole('region', { name: 'Selected exchange' })).toHaveCount(0);
	await inspector.goto(link.replace('endpoint=token&', ''));
	await expect(inspector.getByRole('treeitem', { selected: true })).toContainText('/token');
	await inspector.goto('/inspector?request=unknown');
	await expect(inspector.getByText('The log has no exchange unknown.')).toBeVisible();
});
