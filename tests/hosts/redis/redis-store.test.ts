import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRedisStore } from '#hosts/node/redis/open-redis.server.ts';
import { RedisKeys } from '#hosts/node/redis/redis-keys.ts';
import { RedisLink } from '#hosts/node/redis/redis-link.server.ts';
import type { SandboxStore, Store, StoreOptions } from '#store/store.ts';
import { StoreUnavailable } from '#store/errors.ts';
import { testStore } from '../../store/contract.ts';
import { describeWithRedis, kept, startCluster, startRedis, type RedisServer } from './redis-server.ts';

type Notes = { note: { readonly value: number; readonly expires?: number }; heavy: { readonly weight: number } };

const rules: StoreOptions<Notes> = {
	note: { maxPerSandbox: 1000, clock: 'sandbox' },
	heavy: { maxPerSandbox: 1000, clock: 'real', weightField: 'weight' }
};
const clocks = { sandbox: () => 0, real: () => 0 };
const report = (fault: unknown) => console.error(fault);

describeWithRedis('store in Redis, one node of a cluster', () => {
	let redis: RedisServer;
	let link: RedisLink;
	let count = 0;
	beforeAll(async () => {
		redis = await startCluster();
		link = await RedisLink.open(redis.url, report);
	});
	afterAll(async () => {
		link.close();
		await redis.close();
	});

	// A cluster rejects a script whose keys are not in one slot.
	testStore('Redis', (rules) => Promise.resolve(createRedisStore(link, new RedisKeys(`test${++count}`), rules)));
});

describeWithRedis('store in Redis, shared by several processes', () => {
	let redis: RedisServer;
	let links: RedisLink[];
	let count = 0;
	beforeAll(async () => {
		redis = await startRedis();
		links = await Promise.all([1, 2, 3].map(() => RedisLink.open(redis.url, report)));
	});
	afterAll(async () => {
		for (const link of links) link.close();
		await redis.close();
	});

	/** The same empty store, as each process sees it. */
	function openStores(): Store<Notes>[] {
		const keys = new RedisKeys(`shared${++count}`);
		return links.map((link) => createRedisStore<Notes>(link, keys, rules));
	}

	it('counts each of many parallel updates of three processes exactly once', async () => {
		const sandboxes = openStores().map((store) => store.forSandbox('root', clocks));
		const increment = (sandbox: SandboxStore<Notes>) =>
			sandbox.update('note', 'n', (note) => ({ value: (note?.value ?? 0) + 1 }));
		const increments = Array.from({ length: 200 }, () => sandboxes.map(increment)).flat();
		const values = (await Promise.all(increments)).map((note) => note?.value ?? 0);
		expect(values.sort((one, other) => one - other)).toEqual(increments.map((_, at) => at + 1));
	});

	it('sees at once what another process has changed, also where it wrote the record itself before', async () => {
		const [one, other] = openStores().map((store) => store.forSandbox('root', clocks));
		for (let value = 1; value <= 3; value++) {
			await one?.update('note', 'n', () => ({ value }));
			expect(await other?.get('note', 'n')).toEqual({ value });
			expect(await other?.update('note', 'n', (note) => note && { value: -note.value })).toEqual({ value: -value });
			expect(await one?.update('note', 'n', (note) => note)).toEqual({ value: -value });
		}
		await other?.delete('note', 'n');
		expect(await one?.update('note', 'n', (note) => note && { value: 5 })).toBeUndefined();
	});

	it('does not store what another process writes to a dropped sandbox', async () => {
		const [one, other] = openStores();
		const late = other?.forSandbox('x', clocks);
		await late?.update('note', 'a', () => ({ value: 1 }));
		await one?.drop('x');
		await late?.update('note', 'b', () => ({ value: 1 }));
		await late?.replace({ note: [['c', { value: 1 }]] });
		await late?.replace((list) => ({ note: list('note') }));
		expect([await late?.count(), await one?.sandboxes(), await other?.sandboxes()]).toEqual([0, [], []]);
	});

	it('loses no change while another process derives new records from the old ones', async () => {
		const [one, other] = openStores().map((store) => store.forSandbox('root', clocks));
		const ids = Array.from({ length: 800 }, (_, at) => `${at}`);
		await one?.replace({ note: ids.map((id) => [id, { value: 0 }]) });
		const changes = ids.map((id) => other?.update('note', id, (note) => ({ value: (note?.value ?? 0) + 1 })));
		const replacement = one?.replace((list) => ({
			note: list('note').map(([id, { value }]) => [id, { value: value + 10 }]),
			heavy: [['w', { weight: 7 }]]
		}));
		await Promise.all([replacement, ...changes]);
		expect((await one?.list('note'))?.map(([, { value }]) => value)).toEqual(ids.map(() => 11));
		expect(await other?.list('heavy')).toEqual([['w', { weight: 7 }]]);
	});

	it('replaces derived records although the process that held the lock has ended', async () => {
		const [one] = openStores().map((store) => store.forSandbox('root', clocks));
		await links[0]?.send('set', new RedisKeys(`shared${count}`).lock('root'), 'ended', 'PX', 300);
		await one?.replace(() => ({ note: [['a', { value: 1 }]] }));
		expect(await one?.count()).toBe(1);
	});

	it('reports a record that it did not write as unavailable, and does not change it', async () => {
		const [one] = openStores().map((store) => store.forSandbox('root', clocks));
		const key = new RedisKeys(`shared${count}`).kind('root', 'note').records;
		for (const nonsense of ['nonsense', '1;1;1;{', '{"value":1}']) {
			await links[1]?.send('hset', key, 'n', nonsense);
			await expect(one?.get('note', 'n')).rejects.toThrow(StoreUnavailable);
			await expect(one?.update('note', 'n', () => ({ value: 1 }))).rejects.toThrow(StoreUnavailable);
			expect(await links[1]?.send('hget', key, 'n')).toBe(nonsense);
		}
	});

	it('evicts records that an earlier version wrote without an owner, and goes on with those that have one', async () => {
		type Owned = { note: { readonly by?: string; readonly expires?: number } };
		const keys = new RedisKeys(`shared${++count}`);
		const open = (at: number, owner: { readonly owner?: 'by' }) => {
			const note = { maxPerSandbox: 4, clock: 'real', ...owner } as const;
			const [link] = links.slice(at);
			if (link === undefined) throw new Error('no connection');
			return createRedisStore<Owned>(link, keys, { note }).forSandbox('root', clocks);
		};
		const earlier = open(0, {});
		for (const id of ['a', 'b', 'c', 'd']) await earlier.update('note', id, () => ({}));
		const now = open(1, { owner: 'by' });
		const ids = async () => (await now.list('note')).map(([id]) => id);
		await now.update('note', 'd', () => ({ by: 'one' }));
		for (const id of ['e', 'f']) await now.update('note', id, () => ({ by: 'flood' }));
		expect(await ids()).toEqual(['c', 'd', 'e', 'f']);
		await earlier.delete('note', 'f');
		for (const id of ['g', 'h', 'i']) await now.update('note', id, () => ({ by: 'flood' }));
		expect(await ids()).toEqual(['d', 'g', 'h', 'i']);
	});

	it('fails at once while Redis is away, and works again once it is back', async () => {
		const own = await startRedis(kept);
		const faults: unknown[] = [];
		const link = await RedisLink.open(own.url, (fault) => faults.push(fault));
		const sandbox = createRedisStore<Notes>(link, new RedisKeys('t'), rules).forSandbox('root', clocks);
		const increment = () => sandbox.update('note', 'n', (note) => ({ value: (note?.value ?? 0) + 1 }));
		for (let round = 0; round < 10; round++) await increment();
		await own.kill();
		await expect(Promise.all([increment(), increment()])).rejects.toThrow(StoreUnavailable);
		expect(faults.length).toBe(1);
		await own.restart();
		await expect.poll(() => link.send('ping').catch(() => undefined)).toBe('PONG');
		expect(await increment()).toEqual({ value: 11 });
		link.close();
		await own.close();
	});

	it('stores the first write to a sandbox after one that failed', async () => {
		const own = await startRedis();
		const link = await RedisLink.open(own.url, () => undefined);
		const sandbox = createRedisStore<Notes>(link, new RedisKeys('t'), rules).forSandbox('root', clocks);
		const write = () => sandbox.update('note', 'n', () => ({ value: 1 }));
		await own.kill();
		await expect(write()).rejects.toThrow(StoreUnavailable);
		await own.restart();
		await expect.poll(() => link.send('ping').catch(() => undefined)).toBe('PONG');
		expect(await write()).toEqual({ value: 1 });
		link.close();
		await own.close();
	});
});
