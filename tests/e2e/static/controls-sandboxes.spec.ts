import { manageSandboxes, usePresetLink } from '../sandbox-journey.ts';
import { call, expect, test } from './fixtures.ts';

test.use({ base: '/demo' });

test('a visitor creates, names, saves, restores, forks and deletes sandboxes below a base path', async ({
	served,
	site
}) => {
	await manageSandboxes(served, `${site.origin}/demo`);
	const sandbox = new URL(served.url()).pathname.replace('/controls/sandboxes', '');
	await usePresetLink(served, async (method, path, body) => {
		const url = `${sandbox}/control/${path}`;
		const { status, text } = await call(served, url, { method, body: JSON.stringify(body) });
		expect(status, text).toBeLessThan(300);
	});
	expect(site.leaks()).toEqual([]);
});
