import { expect, it } from 'vitest';
import * as v from 'valibot';
import { recordLimits } from '#service/record-limits.ts';
import { createMemoryStore } from '#store/memory.ts';
import { TestResponse } from '../conformance/response.ts';
import { benchService } from './test-service.ts';

const adminKey = 'the admin key of this server';
const made = v.object({ id: v.string(), key: v.string() });
const listing = v.strictObject({
	max: v.literal(300),
	sandboxes: v.array(
		v.strictObject({
			id: v.string(),
			base_url: v.string(),
			created_at: v.number(),
			last_used_at: v.nullable(v.number()),
			records: v.number()
		})
	)
});
const minutes = (count: number) => count * 60_000;

/** A service with a key, and calls of it from several addresses. */
function busy() {
	const bench = benchService({ adminKey, store: createMemoryStore(recordLimits) });
	const send = async (method: string, target: string, from = '10.0.0.1', ...headers: string[]) => {
		const received = await bench.transport.send({ method, target, from, headers });
		return new TestResponse(received ?? { status: 0, headers: [], body: '' });
	};
	const make = (from: string, ...headers: string[]) => send('POST', '/control/sandboxes', from, ...headers);
	const admin = (method: string, target: string) => send(method, target, '10.0.0.1', 'X-Tollgate-Key', adminKey);
	const ids = async () => (await admin('GET', '/control/sandboxes')).as(listing).sandboxes.map(({ id }) => id);
	return { bench, send, make, admin, ids };
}

it('RM-05 where a stranger has taken all sandboxes, those that he left give way, his oldest first', async () => {
	const { bench, send, make, ids } = busy();
	const honest = (await make('10.0.0.7')).as(made).id;
	bench.clock += 1;
	const taken: string[] = [];
	for (let count = 0; count < 299; count++) {
		taken.push((await make(`10.9.9.${count % 5}`)).as(made).id);
		bench.clock += 1;
	}
	const full = await make('10.0.0.8');
	expect([full.status, full.error]).toEqual([409, 'limit_reached']);
	expect(full.text).toContain('try again in half an hour');
	bench.clock += minutes(5);
	expect((await make('10.0.0.8')).status).toBe(201);
	const left = new Set(await ids());
	expect(left.has(honest), 'idle for longer, but of somebody who took one').toBe(true);
	expect(taken.filter((id) => !left.has(id))).toEqual([taken[0]]);
	expect((await send('GET', `/~${taken[0] ?? ''}/ratelimiting`)).status).toBe(404);
});

it('RM-05 whoever asks at the same moment gets a sandbox each, while idle ones are left to give way', async () => {
	const { bench, make, ids } = busy();
	for (let count = 0; count < 300; count++) await make(`10.9.9.${count % 5}`);
	bench.clock += minutes(5);
	const answers = await Promise.all(Array.from({ length: 30 }, (_, count) => make(`10.0.1.${count}`)));
	expect(answers.map(({ status }) => status)).toEqual(Array<number>(30).fill(201));
	const left = new Set(await ids());
	expect([left.size, ...answers.map((response) => left.has(response.as(made).id))]).toEqual([
		300,
		...answers.map(() => true)
	]);
	expect(bench.faults).toEqual([]);
});

it('RM-05 no sandbox that was called in the last half hour gives way', async () => {
	const { bench, send, make, ids } = busy();
	const all: string[] = [];
	for (let count = 0; count < 300; count++) {
		const { id } = (await make(`10.9.9.${count % 5}`)).as(made);
		await send('GET', `/~${id}/ratelimiting`);
		all.push(id);
	}
	bench.clock += minutes(29);
	for (const id of all.slice(1)) await send('GET', `/~${id}/ratelimiting`);
	expect((await make('10.0.0.8')).status).toBe(409);
	bench.clock += minutes(1);
	expect((await make('10.0.0.8')).status).toBe(201);
	expect((await make('10.0.0.8')).status).toBe(409);
	expect((await ids()).filter((id) => all.includes(id))).toEqual(all.slice(1));
	expect((await send('GET', '/ratelimiting')).status, 'the root never does').toBe(200);
	expect(bench.faults).toEqual([]);
});

it('RM-05 whoever has the admin key lists all sandboxes, and deletes any; the list holds no secret', async () => {
	const { bench, send, admin, make, ids } = busy();
	const [one, two] = [(await make('10.0.0.7')).as(made), (await make('10.0.0.8')).as(made)];
	bench.clock += 5000;
	await send('GET', `/~${two.id}/ratelimiting`);
	const response = await admin('GET', '/control/sandboxes');
	expect(response.as(listing).sandboxes).toMatchObject([
		{
			id: one.id,
			base_url: `https://tollgate.test/~${one.id}`,
			created_at: bench.clock - 5000,
			last_used_at: null,
			records: 6
		},
		{ id: two.id, created_at: bench.clock - 5000, last_used_at: bench.clock, records: 7 }
	]);
	for (const secret of [one.key, bench.options.digest(one.key), '10.0.0.7'])
		expect(response.text).not.toContain(secret);
	for (const key of [one.key, 'guess', '']) {
		expect((await send('GET', '/control/sandboxes', '10.0.0.7', 'X-Tollgate-Key', key)).status).toBe(403);
		const others = `/control/sandboxes/${two.id}`;
		expect((await send('DELETE', others, '10.0.0.7', 'X-Tollgate-Key', key)).status).toBe(403);
	}
	expect((await admin('GET', `/~${one.id}/control/sandboxes`)).status, 'at the origin only').toBe(404);
	expect((await admin('DELETE', `/~${one.id}/control/sandboxes/${two.id}`)).status).toBe(404);
	expect((await admin('DELETE', `/control/sandboxes/${one.id}`)).text).toBe(`{"deleted":"${one.id}"}`);
	for (const id of [one.id, 'root', '__proto__']) {
		expect((await admin('DELETE', `/control/sandboxes/${id}`)).status, id).toBe(404);
	}
	expect(await ids()).toEqual([two.id]);
	expect((await send('GET', `/~${one.id}/ratelimiting`)).status).toBe(404);
	expect((await send('GET', '/ratelimiting')).status, 'the root stands').toBe(200);
});

it('RM-07 a purge deletes sandboxes without an entry, also those of an earlier process', async () => {
	const store = createMemoryStore(recordLimits);
	const before = benchService({ store });
	const [expired, used] = [await before.sandbox(), await before.sandbox()];
	before.clock += 23 * 3_600_000;
	await used.get('/ratelimiting');
	before.clock += 2 * 3_600_000;
	const after = benchService({ store, now: () => before.clock });
	expect((await store.sandboxes()).sort()).toEqual(['root', expired.id, used.id].sort());
	await after.service.purge();
	expect((await store.sandboxes()).sort()).toEqual(['root', used.id].sort());
});
