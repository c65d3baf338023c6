import { expect, it } from 'vitest';
import * as v from 'valibot';
import type { Quotas } from '#service/core/quotas.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import { rootSandbox } from '#service/core/target.ts';
import { createMemoryStore } from '#store/memory.ts';
import { TestResponse } from '../conformance/response.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import { createTestService } from './test-service.ts';

const adminKey = 'the admin key of this server';
const created = v.object({ id: v.string(), key: v.string() });
const listing = v.strictObject({
	max: v.literal(300),
	sandboxes: v.array(
		v.strictObject({
			id: v.string(),
			base_url: v.string(),
			created_at: v.number(),
			last_used_at: v.nullable(v.number()),
			records: v.number(),
			traffic_entries: v.literal(200)
		})
	)
});
const minutes = (count: number) => count * 60_000;

/** A service with an admin key that holds five sandboxes, three of each address; and requests from several addresses. */
function smallServer(quotas: Partial<Quotas> = { sandboxesPerAddress: 3 }) {
	const sandbox = { ...recordLimits.sandbox, maxFor: { [rootSandbox]: 5 } };
	const tested = createTestService({
		adminKey,
		quotas,
		store: createMemoryStore({ ...recordLimits, sandbox })
	});
	const send = async (method: string, target: string, from = '10.0.0.1', ...headers: string[]) => {
		const received = await tested.transport.send({ method, target, from, headers });
		return new TestResponse(received ?? { status: 0, headers: [], body: '' });
	};
	const create = (from: string, ...headers: string[]) => {
		tested.clock += 1;
		return send('POST', '/control/sandboxes', from, ...headers);
	};
	const createdBy = async (from: string) => (await create(from)).as(created).id;
	const use = (id: string) => send('GET', `/~${id}/ratelimiting`);
	const admin = (method: string, target: string) => send(method, target, '10.0.0.1', 'X-Tollgate-Key', adminKey);
	const ids = async () => (await admin('GET', '/control/sandboxes')).as(listing).sandboxes.map(({ id }) => id);
	return { tested, send, create, createdBy, use, admin, ids };
}

it('RM-05 a full server evicts the sandbox that was idle longest', async () => {
	const { tested, create, createdBy, use, ids } = smallServer();
	const all: string[] = [];
	for (const from of ['10.0.0.7', '10.0.0.8', '10.0.0.8', '10.0.0.9', '10.0.0.9']) all.push(await createdBy(from));
	const rejected = await create('10.0.0.6');
	expect([rejected.status, rejected.error]).toEqual([409, 'limit_reached']);
	expect(rejected.text).toContain('Try again in 30 minutes.');
	await use(all[0] ?? '');
	tested.clock += minutes(5);
	const next = await createdBy('10.0.0.6');
	expect(await ids(), 'the oldest that was never used').toEqual([all[0], ...all.slice(2), next]);
	expect((await use(all[1] ?? '')).status).toBe(404);
	expect(tested.faults).toEqual([]);
});

it('RM-05 parallel requests each get a sandbox while idle ones can be evicted', async () => {
	const { tested, create, createdBy, ids } = smallServer();
	for (let count = 0; count < 5; count++) await createdBy(`10.9.9.${count}`);
	tested.clock += minutes(5);
	const responses = await Promise.all(Array.from({ length: 4 }, (_, count) => create(`10.0.1.${count}`)));
	expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
	const left = await ids();
	expect(left).toHaveLength(5);
	for (const response of responses) expect(left).toContain(response.as(created).id);
	expect(tested.faults).toEqual([]);
});

it('RM-05 evicts no sandbox that was used in the last 30 minutes', async () => {
	const { tested, create, createdBy, use, ids } = smallServer();
	const all: string[] = [];
	for (let count = 0; count < 5; count++) all.push(await createdBy(`10.9.9.${count}`));
	for (const id of all) await use(id);
	tested.clock += minutes(29);
	for (const id of all.slice(1)) await use(id);
	expect((await create('10.0.0.8')).status).toBe(409);
	tested.clock += minutes(1);
	expect((await create('10.0.0.8')).status).toBe(201);
	expect((await create('10.0.0.8')).status).toBe(409);
	expect((await ids()).slice(0, -1)).toEqual(all.slice(1));
});

it('H2 sandboxes that links create on a server without an admin key evict none that is used or that a share link keeps', async () => {
	const sandbox = { ...recordLimits.sandbox, maxFor: { [rootSandbox]: 5 } };
	const tested = createTestService({ store: createMemoryStore({ ...recordLimits, sandbox }) });
	const preset = { format: 'tollgate-preset', version: 1, start: { path: '/viewer' } };
	const [used, linked] = [await tested.sandbox(), await tested.sandbox()];
	const { id } = (await linked.controlled('POST', 'shares', { preset, days: 30 })).as(
		v.looseObject({ id: v.string() })
	);
	for (let count = 0; count < 20; count++) {
		tested.clock += 1;
		const made = await Sandbox.create(tested.transport, count % 2 ? { preset } : { share: id });
		await made.get('/ratelimiting');
	}
	expect((await used.get('/ratelimiting')).status).not.toBe(404);
	expect((await linked.controlled('GET', 'shares')).text).toContain(id);
	for (let count = 0; count < 6; count++) await tested.sandbox();
	expect((await linked.controlled('GET', 'shares')).text, 'kept by its link').toContain(id);
	await Sandbox.create(tested.transport, { share: id });
});

it('RM-05 an address that has created as many as it may gets another one only for its own idle one', async () => {
	const { tested, create, createdBy, use, ids } = smallServer();
	const [first, second, third] = [
		await createdBy('10.0.0.7'),
		await createdBy('10.0.0.7'),
		await createdBy('10.0.0.7')
	];
	const other = await createdBy('10.0.0.8');
	const rejected = await create('10.0.0.7');
	expect([rejected.status, rejected.error]).toEqual([409, 'limit_reached']);
	expect(rejected.text).toContain('Your address has created 3 sandboxes');
	tested.clock += minutes(5);
	await use(first);
	const next = await createdBy('10.0.0.7');
	expect(await ids()).toEqual([first, third, other, next]);
	expect((await use(second)).status).toBe(404);
});

it('RM-05 an address with many sandboxes loses one to another address, even if none is idle', async () => {
	const { tested, create, createdBy, use, ids } = smallServer({ sandboxesPerAddress: 5, keptPerAddress: 2 });
	const all: string[] = [];
	for (const from of ['10.0.0.7', '10.0.0.9', '10.0.0.7', '10.0.0.7', '10.0.0.7']) all.push(await createdBy(from));
	for (const id of [...all].reverse()) {
		tested.clock += 1;
		await use(id);
	}
	const first = await createdBy('10.0.0.8');
	expect(await ids(), 'the one used longest ago').toEqual([...all.slice(0, 4), first]);
	await createdBy('10.0.0.6');
	expect((await create('10.0.0.5')).status, 'two are left to the address').toBe(409);
	expect((await create('10.0.0.7')).status, 'it gets no other one').toBe(409);
});

it('RM-05 the admin key always gets a sandbox', async () => {
	const { tested, create, createdBy, use, ids } = smallServer();
	const all: string[] = [];
	for (let count = 0; count < 5; count++) all.push(await createdBy(`10.9.9.${count}`));
	for (const id of all) {
		tested.clock += 1;
		await use(id);
	}
	expect((await create('10.0.0.7')).status).toBe(409);
	for (let count = 0; count < 4; count++)
		expect((await create('10.0.0.7', 'X-Tollgate-Key', adminKey)).status).toBe(201);
	expect(await ids(), 'more than one address may create; the one used last stays').toContain(all[4]);
	expect((await use(all[0] ?? '')).status).toBe(404);
});

it('RM-05 the admin key lists all sandboxes and deletes any; the list contains no secret', async () => {
	const { tested, send, create, use, admin, ids } = smallServer();
	const [one, two] = [(await create('10.0.0.7')).as(created), (await create('10.0.0.8')).as(created)];
	tested.clock += 5000;
	await use(two.id);
	const response = await admin('GET', '/control/sandboxes');
	expect(response.as(listing).sandboxes).toMatchObject([
		{
			id: one.id,
			base_url: `https://tollgate.test/~${one.id}`,
			created_at: tested.clock - 5001,
			last_used_at: null,
			records: 16
		},
		{ id: two.id, created_at: tested.clock - 5000, last_used_at: tested.clock, records: 17 }
	]);
	for (const secret of [one.key, tested.options.digest(one.key), '10.0.0.7'])
		expect(response.text).not.toContain(secret);
	for (const key of [one.key, 'guess', '']) {
		expect((await send('GET', '/control/sandboxes', '10.0.0.7', 'X-Tollgate-Key', key)).status).toBe(403);
		const others = `/control/sandboxes/${two.id}`;
		expect((await send('DELETE', others, '10.0.0.7', 'X-Tollgate-Key', key)).status).toBe(403);
	}
	expect((await admin('GET', `/~${one.id}/control/sandboxes`)).status, 'at the root only').toBe(404);
	expect((await admin('DELETE', `/~${one.id}/control/sandboxes/${two.id}`)).status).toBe(404);
	expect((await admin('DELETE', `/control/sandboxes/${one.id}`)).text).toBe(`{"deleted":"${one.id}"}`);
	for (const id of [one.id, 'root', '__proto__'])
		expect((await admin('DELETE', `/control/sandboxes/${id}`)).status, id).toBe(404);
	expect(await ids()).toEqual([two.id]);
	expect((await use(one.id)).status).toBe(404);
	expect((await send('GET', '/ratelimiting')).status, 'the root sandbox stays').toBe(200);
});

it('RM-07 a purge deletes sandboxes without an entry, also those of an earlier process', async () => {
	const store = createMemoryStore(recordLimits);
	const before = createTestService({ store });
	const [expired, used] = [await before.sandbox(), await before.sandbox()];
	before.clock += 23 * 3_600_000;
	await used.get('/ratelimiting');
	before.clock += 2 * 3_600_000;
	const after = createTestService({ store, now: () => before.clock });
	expect((await store.sandboxes()).sort()).toEqual(['root', expired.id, used.id].sort());
	await after.service.purge();
	expect((await store.sandboxes()).sort()).toEqual(['root', used.id].sort());
});

/** What a share link opens. */
const preset = { format: 'tollgate-preset', version: 1 };

it('a share link keeps its idle sandbox in a full server, and those of three of one address', async () => {
	const { tested, create, send, ids } = smallServer({ sandboxesPerAddress: 5 });
	const made: string[] = [];
	for (let count = 0; count < 5; count++) {
		const { id, key } = (await create('10.0.0.7')).as(created);
		const body = JSON.stringify({ preset, days: 30 });
		const headers = ['X-Tollgate-Key', key, 'Content-Type', 'application/json'];
		const shared = await tested.transport.send({ method: 'POST', target: `/~${id}/control/shares`, headers, body });
		expect(shared?.status).toBe(201);
		made.push(id);
	}
	tested.clock += minutes(31);
	for (const from of ['10.0.0.8', '10.0.0.9']) expect((await create(from)).status).toBe(201);
	expect((await create('10.0.0.6')).status).toBe(409);
	expect((await ids()).slice(0, 3)).toEqual(made.slice(0, 3));
	tested.clock += minutes(30 * 24 * 60);
	expect((await send('GET', `/~${made[0] ?? ''}/ratelimiting`)).status).toBe(404);
});

it('share links of one address leave places for others, and end with their sandboxes', async () => {
	const { transport } = createTestService({ adminKey });
	const create = (from: string) => Sandbox.create({ ...transport, send: (sent) => transport.send({ from, ...sent }) });
	const share = async (at: Sandbox) => (await at.control('POST', 'shares', { preset, days: 30 })).status;
	const owned = [];
	for (let count = 0; count < 11; count++) owned.push(await create('10.0.0.7'));
	const [first, last] = [owned[0], owned[10]];
	if (first === undefined || last === undefined) throw new Error('eleven were created');
	for (const at of owned.slice(0, 10)) for (let count = 0; count < 20; count++) expect(await share(at)).toBe(201);
	expect([await share(last), await share(await create('10.0.0.8'))]).toEqual([409, 201]);
	await first.remove();
	expect(await share(last)).toBe(201);
});
