import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { BrowserHost } from '#hosts/browser/browser-host.ts';
import { EntryDatabase } from '#hosts/browser/database.ts';

it('sends no query of a page in the Referer of its scripts', async () => {
	const host = new BrowserHost('https://site.test', '/demo');
	for (const path of ['ws/oauth2/revoke?token=x', 'account', 'ws/oauth2/auth/?interaction=x']) {
		const response = await host.respond(new Request(`https://site.test/demo/${path}`));
		expect(response.headers.get('referrer-policy'), path).toMatch(/^(same-origin, )?strict-origin$/);
	}
});

it('BR-02 responds after the changes of a request are stored', async () => {
	let finishWrite = () => {};
	const flush = vi.spyOn(EntryDatabase.prototype, 'flush');
	flush.mockReturnValue(new Promise((resolve) => (finishWrite = resolve)));
	const host = new BrowserHost('https://site.test', '');
	let hasResponded = false;
	const response = host.respond(new Request('https://site.test/account')).finally(() => (hasResponded = true));
	await vi.waitFor(() => expect(flush).toHaveBeenCalled());
	await new Promise((resolve) => setImmediate(resolve));
	expect(hasResponded).toBe(false);
	finishWrite();
	expect((await response).status).toBe(200);
	flush.mockRestore();
});
