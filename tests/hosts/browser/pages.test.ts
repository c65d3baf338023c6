import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isPage, pages } from '#hosts/browser/pages.ts';

it('BR-03 the worker knows all pages of the application, and takes no other address for one', () => {
	const folders = readdirSync('src/routes', { recursive: true, encoding: 'utf8' })
		.filter((file) => /(?:^|\/)\+page\.svelte$/.test(file))
		.map((file) => `/${file.replace(/\/?\+page\.svelte$/, '')}`);
	const shown = folders.filter((path) => path !== '/in-browser');
	expect(pages).toEqual(shown.sort());
	for (const path of ['/', '/viewer', '/viewer/', '/~k3v9x2q7', '/~k3v9x2q7/viewer', '/%7Ek3v9x2q7/x']) {
		expect(isPage(path), path).toBe(true);
	}
	for (const path of ['/demo/', '/viewers', '/x/viewer']) expect(isPage(path), path).toBe(false);
});
