import 'fake-indexeddb/auto';
import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { BrowserHost } from '#hosts/browser/browser-host.ts';
import { EntryDatabase } from '#hosts/browser/database.ts';
import { fastScrypt } from '../../conformance/hosts/fast-scrypt.ts';

const header = v.tuple([v.string(), v.string()]);
const logged = v.object({
	entries: v.array(v.object({ request: v.object({ method: v.string(), headers: v.array(header) }) }))
});

it('sends no query of a page in the Referer of its scripts', async () => {
	const host = new BrowserHost('https://site.test', '/demo', { scrypt: fastScrypt });
	for (const path of ['ws/oauth2/revoke?token=x', 'account', 'ws/oauth2/auth/?interaction=x']) {
		const response = await host.respond(new Request(`https://site.test/demo/${path}`));
		expect(response.headers.get('referrer-policy'), path).toMatch(/^(same-origin, )?strict-origin$/);
	}
});

it('BR-02 responds after the changes of a request are stored', async () => {
	let finishWrite = () => {};
	const flush = vi.spyOn(EntryDatabase.prototype, 'flush');
	flush.mockReturnValue(new Promise((resolve) => (finishWrite = resolve)));
	const host = new BrowserHost('https://site.test', '', { scrypt: fastScrypt });
	let hasResponded = false;
	const response = host.respond(new Request('https://site.test/account')).finally(() => (hasResponded = true));
	await vi.waitFor(() => expect(flush).toHaveBeenCalled(), { timeout: 10_000 });
	await new Promise((resolve) => setImmediate(resolve));
	expect(hasResponded).toBe(false);
	finishWrite();
	expect((await response).status).toBe(200);
	flush.mockRestore();
});

it('SC-06 sends cookies with forms of this site only', async () => {
	const host = new BrowserHost('https://site.test', '', { scrypt: fastScrypt });
	const navigate = (method: string, origin?: string) => {
		const headers = { ...(origin === undefined ? {} : { origin }) };
		const request = new Request('https://site.test/account', { method, headers });
		return host.respond(Object.defineProperty(request, 'mode', { value: 'navigate' }));
	};
	await navigate('GET');
	// Its owner gets a cookie.
	await host.respond(new Request('https://site.test/control/sandboxes', { method: 'POST' }));
	await navigate('GET', 'https://evil.test');
	await navigate('POST', 'https://site.test');
	await navigate('POST', 'https://evil.test');
	const log: unknown = await (await host.respond(new Request('https://site.test/control/traffic'))).json();
	const { entries } = v.parse(logged, log);
	const sent = entries.map(({ request }) => [
		request.method,
		request.headers.some(([name]) => name.toLowerCase() === 'cookie')
	]);
	expect(sent).toEqual([
		['GET', false],
		['GET', true],
		['POST', true],
		['POST', false]
	]);
});

it('says that a class needs a server', async () => {
	const host = new BrowserHost('https://site.test', '', { scrypt: fastScrypt });
	const headers = { 'Content-Type': 'application/json', Origin: 'https://site.test' };
	const body = '{"name":"Workshop","seats":3}';
	const opened = await host.respond(
		new Request('https://site.test/control/classes', { method: 'POST', headers, body })
	);
	expect([opened.status, await opened.text()]).toEqual([409, expect.stringContaining('CLASS_SEATS=30 npm start')]);
	const joined = await host.respond(new Request('https://site.test/control/classes/222222/seats', { method: 'POST' }));
	expect(joined.status).toBe(404);
	const status = await host.respond(new Request('https://site.test/control/status'));
	expect(await status.json()).toMatchObject({ class_seats: 0 });
});

it('erases all data, and ends the event streams of the old data', async () => {
	const host = new BrowserHost('https://site.test', '/erased', { scrypt: fastScrypt });
	const url = (path: string) => `https://site.test/erased/control/${path}`;
	const created = await host.respond(new Request(url('sandboxes'), { method: 'POST' }));
	const { id } = v.parse(v.object({ id: v.string() }), await created.json());
	const stream = await host.respond(new Request(url('traffic/stream')));
	const end = stream.text().then(
		() => 'ended',
		() => 'ended'
	);
	expect(await host.hasSandbox(`/~${id}/control/status`)).toBe(true);
	await host.erase();
	expect(await end).toBe('ended');
	expect(await host.hasSandbox(`/~${id}/control/status`)).toBe(false);
	expect(await (await host.respond(new Request(url('traffic')))).json()).toEqual({ entries: [] });
});

it('ends the event streams of a worker that another replaces, also those that pages open again', async () => {
	const host = new BrowserHost('https://site.test', '/replaced', { scrypt: fastScrypt });
	const open = async () => {
		const stream = await host.respond(new Request('https://site.test/replaced/control/traffic/stream'));
		return stream.text().then(
			() => 'ended',
			() => 'ended'
		);
	};
	const before = open();
	await host.status();
	host.leave();
	expect(await before).toBe('ended');
	expect(await open()).toBe('ended');
});
