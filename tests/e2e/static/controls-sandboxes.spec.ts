import { manageSandboxes, usePresetLink } from '../sandbox-journey.ts';
import { expect, test } from './fixtures.ts';

test.use({ base: '/demo' });

test('a visitor creates, names, saves, restores, forks and deletes sandboxes below a base path', async ({
	served,
	site
}) => {
	await manageSandboxes(served, `${site.origin}/demo`);
	await usePresetLink(served);
	expect(site.leaks()).toEqual([]);
});
