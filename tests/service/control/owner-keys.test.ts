import { expect, it } from 'vitest';
import { ownerLink } from '#wire/control/sandboxes.ts';
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
