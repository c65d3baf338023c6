import { manageSandboxes, sandboxActions, usePresetLink } from '../sandbox-journey.ts';
import { expect, test } from './fixtures.ts';

test.use({ base: '/demo' });

test('a visitor creates, names, saves, restores, forks and deletes sandboxes below a base path', async ({
	served,
	site
}) => {
	await manageSandboxes(served, `${site.origin}/demo`);
	await usePresetLink(served);
	await served.goto(`${site.origin}/demo/controls/sandboxes`);
	await sandboxActions(served).press('Enter');
	const menu = served.getByRole('group', { name: /^Actions of / });
	await expect(menu.getByRole('button', { name: 'Rename…' })).toBeVisible();
	await expect(menu, 'another browser cannot open an owner link of this one').not.toContainText('owner link');
	expect(site.leaks()).toEqual([]);
});
