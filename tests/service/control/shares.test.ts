import { beforeEach, expect, test } from 'vitest';
import * as v from 'valibot';
import { Sandbox } from '../../conformance/sandbox.ts';
import { createTestService, type TestService } from '../test-service.ts';
import bank from '../../worlds/bank.json' with { type: 'json' };

const shared = v.looseObject({ id: v.string(), url: v.string(), opened: v.number(), ends_at: v.number() });
const list = v.object({ shares: v.array(shared) });
const preset = {
	format: 'tollgate-preset',
	version: 1,
	world: bank,
	start: { path: '/viewer', username: 'astrid' },
	settings: { limits: { character: 3 } }
};
const day = 24 * 60 * 60_000;

let service: TestService;
let at: Sandbox;

beforeEach(async () => {
	service = createTestService();
	at = await service.sandbox();
});

const share = async (days = 7) => (await at.controlled('POST', 'shares', { preset, days })).as(shared);
const open = (id: string, password?: string) =>
	service.transport.send({
		method: 'POST',
		target: '/control/sandboxes',
		headers: ['Content-Type', 'application/json'],
		body: JSON.stringify({ share: id, share_password: password })
	});

test('each visitor of a share link gets a prepared sandbox, and the sender sees how many', async () => {
	const { id, url } = await share();
	expect(url).toBe(`${service.options.origin}/preset?share=${id}`);
	const [one, two] = [
		await Sandbox.create(service.transport, { share: id }),
		await Sandbox.create(service.transport, { share: id })
	];
	expect(one.id).not.toBe(two.id);
	expect((await one.get('/control/world')).text).toContain('Nordbank');
	expect(JSON.parse((await one.controlled('GET', 'settings')).text)).toMatchObject({ limits: { character: 3 } });
	const [seen] = (await at.controlled('GET', 'shares')).as(list).shares;
	expect(seen).toMatchObject({ opened: 2, path: '/viewer', last_opened_at: service.clock });
	expect(url).not.toContain(at.id);
});

test('the world and the picture of a link are those of its sandboxes, until it ends', async () => {
	const picture = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')}`;
	const world = { ...bank, brand: { ...bank.brand, picture } };
	const { id } = (await at.controlled('POST', 'shares', { preset: { ...preset, world }, days: 1 })).as(shared);
	const read = async (target: string) => {
		const { status, body } = (await service.transport.send({ method: 'GET', target, headers: [], body: '' })) ?? {};
		return { status, body: JSON.parse(body ?? '') };
	};
	const shown = await read(`/control/world?share=${id}`);
	expect(shown.body).toMatchObject({ brand: { name: 'Nordbank' }, picture: `picture.png?share=${id}` });
	expect(JSON.stringify(shown.body)).not.toContain(picture);
	expect((await read(`/control/picture?share=${id}`)).body).toEqual({ picture });
	expect((await read('/control/picture')).body).toEqual({});
	await at.controlled('DELETE', `shares/${id}`);
	for (const what of ['world', 'picture']) expect((await read(`/control/${what}?share=${id}`)).status).toBe(404);
});

test('the visitor is signed in, and the response has the page to begin', async () => {
	const made = await open((await share()).id);
	expect(made?.status).toBe(201);
	expect(JSON.parse(made?.body ?? '')).toMatchObject({ start_path: '/viewer' });
	const cookies = made?.headers.filter((_, index, all) => all[index - 1]?.toLowerCase() === 'set-cookie') ?? [];
	expect(cookies.map((cookie) => cookie.replace(/[=-].*/, ''))).toHaveLength(2);
});

test('a link ends when its sender ends it, and after its days', async () => {
	const first = await share();
	await at.controlled('DELETE', `shares/${first.id}`);
	expect((await open(first.id))?.status).toBe(404);
	const second = await share(2);
	service.clock += 2 * day - 1;
	expect((await open(second.id))?.status).toBe(201);
	service.clock += 2;
	expect((await open(second.id))?.status).toBe(404);
});

test('the sandbox of a link lives as long as the link', async () => {
	const { id } = await share(30);
	service.clock += 29 * day;
	await service.service.purge();
	expect((await open(id))?.status).toBe(201);
});

test('a recorded flow opens from the link, and the list of links does not repeat it', async () => {
	const path = `/moment#0123456789abcdef.${'a-_Z'.repeat(3900)}`;
	const made = (await at.controlled('POST', 'shares', { preset: { ...preset, start: { path } }, days: 1 })).as(shared);
	expect(made).toMatchObject({ path: '/moment' });
	expect(JSON.parse((await open(made.id))?.body ?? '')).toMatchObject({ start_path: path });
	const longer = { ...preset, start: { path: `${path}${'a'.repeat(1000)}` } };
	expect((await at.control('POST', 'shares', { preset: longer, days: 1 })).status).toBe(400);
});

test('a start page is a path of this site', async () => {
	for (const path of [
		'//evil.example',
		'/\\evil.example',
		'https://evil.example',
		'/a b',
		'/"><script>',
		'/moment#<script>',
		`/${'a'.repeat(400)}`
	]) {
		const wrong = { ...preset, start: { path } };
		expect((await at.control('POST', 'shares', { preset: wrong, days: 1 })).status, path).toBe(400);
	}
});

test('a link with a password shows its brand only, and opens for those who know it', async () => {
	const { id } = (await at.controlled('POST', 'shares', { preset, days: 1, password: 'open sesame' })).as(shared);
	const shown = await service.transport.send({
		method: 'GET',
		target: `/control/world?share=${id}`,
		headers: [],
		body: ''
	});
	expect(JSON.parse(shown?.body ?? '')).toMatchObject({ brand: { name: 'Nordbank' }, needs_password: true });
	expect(shown?.body).not.toContain('astrid');
	for (const password of [undefined, '', 'open sesame ', 'Open sesame']) {
		const response = await open(id, password);
		expect(response?.status, password).toBe(403);
		expect(JSON.parse(response?.body ?? '')).toMatchObject({ error: 'forbidden', field: 'share_password' });
	}
	expect((await open(id, 'open sesame'))?.status).toBe(201);
	const [seen] = (await at.controlled('GET', 'shares')).as(list).shares;
	expect(seen).toMatchObject({ opened: 1, has_password: true, is_locked: false });
	expect((await at.control('GET', 'traffic')).text).not.toContain('open sesame');
	const root = await service.transport.send({ method: 'GET', target: '/control/traffic', headers: [], body: '' });
	expect(JSON.parse(root?.body ?? ''), 'the log of another sandbox').toMatchObject({ entries: [] });
	const clocks = { sandbox: () => service.clock, real: () => service.clock };
	const stored = await service.store.forSandbox(at.id, clocks).get('share', id);
	expect(stored?.password?.hash).toMatch(/^[\w-]{43}$/);
	expect(JSON.stringify(stored)).not.toContain('open sesame');
});

test('guesses of the password of a link are limited for each address', async () => {
	const { id } = (await at.controlled('POST', 'shares', { preset, days: 1, password: 'open sesame' })).as(shared);
	for (let guess = 0; guess < 20; guess++) expect((await open(id, `guess ${guess}`))?.status).toBe(403);
	expect((await open(id, 'open sesame'))?.status).toBe(429);
	service.clock += 5 * 60_000;
	expect((await open(id, 'open sesame'))?.status).toBe(201);
});

test('a room of visitors behind one address opens a link with a password', async () => {
	const { id } = (await at.controlled('POST', 'shares', { preset, days: 1, password: 'open sesame' })).as(shared);
	for (let visitor = 0; visitor < 25; visitor++)
		expect((await open(id, 'open sesame'))?.status, `${visitor}`).toBe(201);
});

test('a visitor of a locked link reads the sandbox, and changes nothing', async () => {
	const { id } = (await at.controlled('POST', 'shares', { preset, days: 1, locked: true })).as(shared);
	const visitor = await Sandbox.create(service.transport, { share: id });
	expect(JSON.parse((await visitor.get('/control/status')).text)).toMatchObject({ is_locked: true });
	for (const path of ['sandbox', 'traffic', 'settings', 'faults', 'applications'])
		expect((await visitor.control('GET', path)).status, path).toBe(200);
	const changes = [
		['PATCH', 'settings', { limits: { character: 9 } }],
		['PATCH', 'sandbox', { name: 'Mine' }],
		['POST', 'faults', { effect: { kind: 'delay', ms: 1 } }],
		['POST', 'clock', { advance: 60 }],
		['POST', 'reset', undefined],
		['POST', 'owner-links', undefined],
		['POST', 'shares', { preset, days: 1 }],
		['PUT', 'world', bank],
		['DELETE', 'traffic', undefined],
		['DELETE', 'sandbox', undefined]
	] as const;
	for (const [method, path, body] of changes) {
		const response = await visitor.control(method, path, body);
		expect(response.status, path).toBe(403);
		expect(response.text, path).toContain('locked');
	}
	expect(JSON.parse((await visitor.controlled('GET', 'settings')).text)).toMatchObject({ limits: { character: 3 } });
});
