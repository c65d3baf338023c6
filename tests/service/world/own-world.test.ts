import { beforeEach, expect, test } from 'vitest';
import * as v from 'valibot';
import { createMemoryStore } from '#store/memory.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import { Sandbox } from '../../conformance/sandbox.ts';
import bank from '../../worlds/bank.json' with { type: 'json' };
import { createTestService, type TestService } from '../test-service.ts';

let service: TestService;
let at: Sandbox;

beforeEach(async () => {
	service = createTestService();
	at = await service.sandbox();
});

const named = v.object({ brand: v.object({ name: v.string() }) });
const nameAt = async (sandbox: Sandbox) => (await sandbox.get('/control/world')).as(named).brand.name;
const planner = (sandbox: Sandbox) => ({
	client_id: 'budget-planner',
	client_secret: 'planner-secret',
	redirect_uri: `${sandbox.base_url}/viewer/callback`
});

test('one server has sandboxes of several worlds', async () => {
	const other = await service.sandbox();
	expect((await at.controlled('PUT', 'world', bank)).as(named).brand.name).toBe('Nordbank');
	expect([await nameAt(at), await nameAt(other)]).toEqual(['Nordbank', 'Tollgate']);
	const { access_token } = await at.user('astrid').tokens(planner(at), { scope: 'accounts.read balances.read' });
	expect(JSON.parse((await at.character(access_token, 'DK50 0040')).text)).toMatchObject({ balance: 4120.5 });
	expect((await at.user('astrid').open('/account')).text).not.toMatch(/Tollgate/);
	const hosted = await service.service.worldVersion(`/~${at.base_url.split('~')[1] ?? ''}/`);
	expect(hosted).not.toBe(await service.service.worldVersion('/'));
});

test('a sandbox takes a world with images of the largest size', async () => {
	const image = `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(60 * 1024)}</svg>`;
	const light = `data:image/svg+xml;base64,${Buffer.from(image).toString('base64')}`;
	await at.controlled('PUT', 'world', { ...bank, brand: { ...bank.brand, logo: { light, dark: light } } });
	expect((await at.get('/control/world')).text).toContain(light);
});

test('a reset keeps the world, and deleting it brings back that of the server', async () => {
	await at.controlled('PUT', 'world', bank);
	await at.controlled('POST', 'accounts', { username: 'extra', password: 'x' });
	await at.controlled('POST', 'reset');
	expect(await nameAt(at)).toBe('Nordbank');
	expect((await at.controlled('GET', 'accounts')).text).not.toContain('extra');
	await at.controlled('DELETE', 'world');
	expect(await nameAt(at)).toBe('Tollgate');
	await at.user().tokens();
});

test('a preset and a snapshot carry the world', async () => {
	await at.controlled('PUT', 'world', bank);
	const preset = (await at.controlled('GET', 'preset')).as(v.looseObject({ world: v.unknown() }));
	expect(preset).toEqual({ format: 'tollgate-preset', version: 1, world: bank });
	const made = await Sandbox.create(service.transport, { preset });
	expect(await nameAt(made)).toBe('Nordbank');

	const snapshot: unknown = JSON.parse((await at.controlled('GET', 'snapshot')).text);
	const copy = await service.sandbox();
	await copy.controlled('PUT', 'snapshot', snapshot);
	expect(await nameAt(copy)).toBe('Nordbank');
	await copy.user('astrid').tokens(planner(copy), { scope: 'accounts.read' });
});

test('another host of the same store sees the change at once', async () => {
	const store = createMemoryStore(recordLimits);
	const [one, two] = [createTestService({ store }), createTestService({ store })];
	const here = await one.sandbox();
	const there = here.through(two.transport);
	expect(await nameAt(there)).toBe('Tollgate');
	await here.controlled('PUT', 'world', bank);
	expect(await nameAt(there)).toBe('Nordbank');
});

test('a file with mistakes changes nothing and lists them all', async () => {
	const wrong = { ...bank, brand: { name: 'Nord\nbank' }, viewer: { client_id: 'missing' }, extra: 1 };
	const response = await at.control('PUT', 'world', wrong);
	expect(response.status).toBe(400);
	for (const place of ['brand.name', 'extra']) expect(response.text).toContain(place);
	expect(await nameAt(at)).toBe('Tollgate');
	const secret = { ...bank, applications: [{ ...bank.applications[0], secret: { env: 'HOME' } }] };
	expect((await at.control('PUT', 'world', secret)).text).toContain('cannot be read here');
	const accounts = Array.from({ length: 11 }, (_, n) => ({ username: `user${n}`, password: `password-${n}` }));
	const many = await at.control('PUT', 'world', { format: 'tollgate-world', version: 1, accounts, characters: [] });
	expect([many.status, many.text]).toEqual([400, expect.stringContaining('more than 10 different passwords')]);
});

test('passwords of worlds are hashed one at a time for each address, and once for equal worlds', async () => {
	const hashing = { now: 0, most: 0, all: 0 };
	const scrypt = async () => {
		hashing.all += 1;
		hashing.most = Math.max(hashing.most, ++hashing.now);
		await new Promise((resolve) => setImmediate(resolve));
		hashing.now -= 1;
		return new Uint8Array(32);
	};
	const busy = createTestService({ scrypt });
	const worldOf = (prefix: string) => ({
		format: 'tollgate-world',
		version: 1,
		characters: [],
		accounts: Array.from({ length: 10 }, (_, number) => ({ username: `u${number}`, password: `${prefix}-${number}` }))
	});
	const sandboxes = await Promise.all(Array.from({ length: 8 }, () => busy.sandbox()));
	hashing.all = 0;
	await Promise.all(sandboxes.map((one, number) => one.controlled('PUT', 'world', worldOf(`password-${number}`))));
	expect(hashing).toEqual({ now: 0, most: 1, all: 80 });
	await Promise.all(sandboxes.map((one) => one.controlled('PUT', 'world', worldOf('password-0'))));
	expect(hashing.all).toBe(80);
});
