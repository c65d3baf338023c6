import { expect, it } from 'vitest';
import { BrowserHost } from '#hosts/browser/browser-host.ts';

it('sends no query of a page in the Referer of its scripts', async () => {
	const host = new BrowserHost('https://site.test', '/demo');
	for (const path of ['ws/oauth2/revoke?token=x', 'account', 'ws/oauth2/auth/?interaction=x']) {
		const response = await host.respond(new Request(`https://site.test/demo/${path}`));
		expect(response.headers.get('referrer-policy'), path).toMatch(/^(same-origin, )?strict-origin$/);
	}
});
