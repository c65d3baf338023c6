import { expect, it } from 'vitest';
import { ownerLink } from '#api/control/sandboxes.ts';
import { TestResponse } from '../../conformance/response.ts';
import { createTestService } from '../test-service.ts';

const adminKey = 'the admin key of this server';
type Headers = readonly string[];

/** A service with an admin key, and requests to its control API. */
function guarded() {
	const tested = createTestService({ adminKey });
	const send = async (method: string, target: string, headers: Headers = [], body = '') => {
		const received = await tested.transport.send({ method, target: `/control/${target}`, headers, body });
		return new TestResponse(received ?? { status: 0, headers: [], body: '' });
	};
	const becomeOwner = async (key: string) => {
		const [line = ''] = (await send('POST', 'owner', ['X-Tollgate-Key', key])).all('set-cookie');
		return line.split(';', 1)[0] ?? '';
	};
	const link = async (...headers: Headers) =>
		(await send('POST', 'owner-links', headers)).as(ownerLink).url.split('#owner=')[1] ?? '';
	return { tested, send, becomeOwner, link };
}

it('RM-03 the admin key sets an owner cookie of the root sandbox that does not contain it', async () => {
	const { tested, send, becomeOwner } = guarded();
	expect((await send('GET', 'sandbox')).status).toBe(403);
	const cookie = await becomeOwner(adminKey);
	expect(cookie).toMatch(/^__Host-tollgate-owner=[\w-]{43}$/);
	expect(cookie).not.toContain(tested.options.digest(adminKey));
	expect((await send('GET', 'sandbox', ['Cookie', cookie])).status).toBe(200);
	expect((await send('GET', 'sandboxes', ['Cookie', cookie])).status).toBe(200);
	expect((await send('GET', 'sandbox', ['Cookie', cookie, 'Origin', 'https://evil.example'])).status).toBe(403);
});

it('RM-05 a sandbox keeps the first key and the latest 20 of its owner links', async () => {
	const { tested, link } = guarded();
	const at = await tested.sandbox();
	const links: string[] = [];
	for (let count = 0; count < 21; count++) {
		const { url } = (await at.controlled('POST', 'owner-links')).as(ownerLink);
		links.push(url.split('#owner=')[1] ?? '');
	}
	const status = async (key: string) =>
		(await at.send({ target: '/control/sandbox', headers: ['X-Tollgate-Key', key] })).status;
	expect(await status(at.key)).toBe(200);
	expect(await Promise.all([0, 1, 20].map((at) => status(links[at] ?? '')))).toEqual([403, 200, 200]);
	expect(await status(await link('X-Tollgate-Key', adminKey)), 'a key of the root sandbox').toBe(403);
});

it('RM-03 all owner links of the root sandbox can be revoked, apart from that of the caller', async () => {
	const { send, becomeOwner, link } = guarded();
	const operator = await becomeOwner(adminKey);
	const leaked = await link('Cookie', operator);
	const status = async (...headers: Headers) => (await send('GET', 'sandboxes', headers)).status;
	expect(await status('X-Tollgate-Key', leaked), 'a link of the root sandbox controls the server').toBe(200);
	expect((await send('DELETE', 'owner-links')).status).toBe(403);
	expect((await send('DELETE', 'owner-links', ['Cookie', operator, 'Origin', 'https://evil.example'])).status).toBe(
		403
	);
	expect((await send('DELETE', 'owner-links', ['Cookie', operator])).text).toBe('{"revoked":1}');
	expect([await status('X-Tollgate-Key', leaked), await status('Cookie', operator)]).toEqual([403, 200]);
	expect((await send('DELETE', 'owner-links', ['X-Tollgate-Key', adminKey])).text).toBe('{"revoked":1}');
	expect(await status('Cookie', operator)).toBe(403);
});

it('RL-05 a client cannot choose its address in the root sandbox of a server with an admin key', async () => {
	const { tested, send } = guarded();
	const counted = async () => {
		const headers = ['X-Tollgate-Address', '192.0.2.7'];
		const received = await tested.transport.send({ target: '/ws/v2.0/ratelimits', headers, from: '203.0.113.9' });
		return new TestResponse(received ?? { status: 0, headers: [], body: '' }).header('x-tollgate-address');
	};
	const admin = ['X-Tollgate-Key', adminKey, 'Content-Type', 'application/json'];
	expect(await counted()).toBe('203.0.113.9');
	await send('POST', 'reset', admin);
	expect(await counted(), 'after a reset').toBe('203.0.113.9');
	await send('PATCH', 'settings', admin, '{"virtual_addresses":true}');
	expect(await counted(), 'the operator has turned them on').toBe('192.0.2.7');
	const own = await tested.sandbox();
	expect((await own.get('/ws/v2.0/ratelimits', 'X-Tollgate-Address', '192.0.2.7')).header('x-tollgate-address')).toBe(
		'192.0.2.7'
	);
});

it('RM-05 only the operator sets how many entries a log keeps, at once and for good', async () => {
	const { tested, send } = guarded();
	const at = await tested.sandbox();
	const limit = (id: string, count: number, ...headers: Headers) =>
		send('PATCH', `sandboxes/${id}`, ['Content-Type', 'application/json', ...headers], `{"traffic_entries":${count}}`);
	const numbers = async () =>
		[...(await at.controlled('GET', 'traffic?limit=500')).text.matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq));
	const visit = async (count: number) => {
		for (let done = 0; done < count; done++) await at.get('/ratelimiting');
	};
	await visit(5);
	expect((await limit(at.id, 2)).status).toBe(403);
	expect((await limit(at.id, 2, 'X-Tollgate-Key', at.key)).status).toBe(403);
	expect((await at.control('PATCH', `sandboxes/${at.id}`, { traffic_entries: 2 })).status).toBe(404);
	for (const wrong of [0, 10_001, 1.5])
		expect((await limit(at.id, wrong, 'X-Tollgate-Key', adminKey)).status).toBe(400);
	expect((await limit('unknown', 2, 'X-Tollgate-Key', adminKey)).status).toBe(404);
	expect((await limit('root', 10_000, 'X-Tollgate-Key', adminKey)).text).toContain('"traffic_entries":10000');
	const last = (await numbers()).at(-1) ?? 0;
	expect((await limit(at.id, 2, 'X-Tollgate-Key', adminKey)).text).toContain('"traffic_entries":2');
	expect(await numbers(), 'the newest ones').toEqual([last - 1, last]);
	await at.controlled('POST', 'reset');
	await visit(3);
	expect((await numbers()).length, 'after a reset').toBe(2);
	await limit(at.id, 250, 'X-Tollgate-Key', adminKey);
	await visit(260);
	expect((await numbers()).length).toBe(250);
});

it('gives each visitor a sandbox where the host says so, at the root only', async () => {
	const tested = createTestService({ adminKey, sandboxPerVisitor: true });
	const at = await tested.sandbox();
	const root = await tested.transport.send({ target: '/control/status' });
	expect(root?.body).toContain('"sandbox_per_visitor":true');
	expect((await at.get('/control/status')).text).toContain('"sandbox_per_visitor":false');
	expect((await createTestService({ adminKey }).transport.send({ target: '/control/status' }))?.body).toContain(
		'"sandbox_per_visitor":false'
	);
});

it('RM-03 a stream ends with the owner link that opened it', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const { url } = (await at.controlled('POST', 'owner-links')).as(ownerLink);
	const leaked = ['X-Tollgate-Key', url.split('#owner=')[1] ?? ''];
	const open = async (headers: string[]) => {
		const target = `/~${at.id}/control/traffic/stream`;
		const empty = { body: new Uint8Array(), bodyTooLarge: false, peer: '127.0.0.1' };
		const result = await tested.service.handle({ method: 'GET', target, headers, ...empty });
		return result.kind === 'stream' ? result.body : undefined;
	};
	const stream = await open(leaked);
	const received: string[] = [];
	const reading = (async () => {
		for await (const text of stream ?? []) received.push(text);
	})();
	await at.controlled('DELETE', 'owner-links');
	await at.get('/ratelimiting');
	await reading;
	expect(received.join('')).not.toContain('/ratelimiting');
	expect(await open(leaked)).toBeUndefined();
	expect(await open(['X-Tollgate-Key', at.key])).toBeDefined();
});
