import { test as base } from './fixtures.ts';
import { openSite, type Site } from './partner-site.ts';

/** A server whose pages another site may embed. Programs without Playwright import the site alone. */
export const test = base.extend<object, { partner: Site }>({
	partner: [
		// eslint-disable-next-line no-empty-pattern -- Playwright reads the dependencies of a fixture from this pattern
		async ({}, use) => {
			const site = await openSite();
			await use(site);
			site.close();
		},
		{ scope: 'worker' }
	],
	settings: [async ({ partner }, use) => use({ EMBED: partner.origin }), { scope: 'worker' }]
});
