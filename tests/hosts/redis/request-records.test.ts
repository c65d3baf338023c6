import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { RedisKeys } from '#hosts/node/redis/redis-keys.ts';
import { RedisLink } from '#hosts/node/redis/redis-link.server.ts';
import { createRedisStore } from '#hosts/node/redis/open-redis.server.ts';
import type { RecordKey, SandboxStore, StoreOptions } from '#store/store.ts';
import { describeWithRedis, startRedis, type RedisServer } from './redis-server.ts';

type Shop = {
	product: { readonly price: number };
	order: { readonly by: string; readonly at: string; readonly expires?: number };
	customer: { readonly name: string };
};

const rules: StoreOptions<Shop> = {
	product: { maxPerSandbox: 3, clock: 'real', isStable: true },
	order: { maxPerSandbox: 100, clock: 'real', leadsTo: { customer: ['by', 'at'] } },
	customer: { maxPerSandbox: 100, clock: 'real' }
};
const report = (fault: unknown) => console.error(fault);

describeWithRedis('the records of one request, in Redis', () => {
	let redis: RedisServer;
	let links: [RedisLink, RedisLink];
	let count = 0;
	let now = 0;
	beforeAll(async () => {
		redis = await startRedis();
		links = [await RedisLink.open(redis.url, report), await RedisLink.open(redis.url, report)];
	});
	afterAll(async () => {
		for (const link of links) link.close();
		await redis.close();
	});

	/** The same empty sandbox, as two processes see it. */
	function open(): [SandboxStore<Shop>, SandboxStore<Shop>] {
		const keys = new RedisKeys(`request${++count}`);
		const clocks = { sandbox: () => now, real: () => now };
		const of = (link: RedisLink) => createRedisStore<Shop>(link, keys, rules).forSandbox('x', clocks);
		return [of(links[0]), of(links[1])];
	}

	const begin = (store: SandboxStore<Shop>, ...expected: RecordKey<Shop>[]) => store.begin(() => expected);

	/** The commands that the first process sends while `run` runs. */
	async function commandsOf(run: () => Promise<unknown>): Promise<number> {
		const spies = [vi.spyOn(links[0], 'send'), vi.spyOn(links[0], 'run')];
		await run();
		return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
	}

	it('reads what is expected, and what its fields lead to, in one step', async () => {
		const [one, other] = open();
		await other.update('order', 'a', () => ({ by: 'Zoë "Z"', at: 'home\\' }));
		await other.update('customer', 'Zoë "Z"\nhome\\', () => ({ name: 'Zoë' }));
		// Redis knows the script from then on.
		await begin(one);
		const commands = await commandsOf(async () => {
			const request = await begin(one, ['order', 'a'], ['order', 'none']);
			expect(await request.get('order', 'a')).toEqual({ by: 'Zoë "Z"', at: 'home\\' });
			expect(await request.get('customer', 'Zoë "Z"\nhome\\')).toEqual({ name: 'Zoë' });
			expect(await request.get('order', 'none')).toBeUndefined();
		});
		expect(commands).toBe(1);
	});

	it('reads a record again if a request asks twice, or has changed it', async () => {
		const [one, other] = open();
		const order = (at: string) => ({ by: 'a', at });
		await other.update('order', 'a', () => order('1'));
		const request = await begin(one, ['order', 'a']);
		await request.update('order', 'a', () => order('2'));
		expect(await request.get('order', 'a')).toEqual(order('2'));
		const later = await begin(one, ['order', 'a']);
		expect(await later.get('order', 'a')).toEqual(order('2'));
		await other.delete('order', 'a');
		expect(await later.get('order', 'a')).toBeUndefined();
	});

	it('does not see a record that expires after the beginning', async () => {
		const [one] = open();
		await one.update('order', 'a', () => ({ by: '', at: '', expires: now + 1000 }));
		const request = await begin(one, ['order', 'a']);
		now += 1000;
		expect(await request.get('order', 'a')).toBeUndefined();
	});

	it('keeps stable records in memory until one of them changes', async () => {
		const [one, other] = open();
		await other.update('product', 'a', () => ({ price: 1 }));
		await (await begin(one)).get('product', 'a');
		await (await begin(one)).list('product');
		const commands = await commandsOf(async () => {
			const request = await begin(one, ['product', 'a']);
			expect(await request.get('product', 'a')).toEqual({ price: 1 });
			expect(await request.list('product')).toEqual([['a', { price: 1 }]]);
		});
		expect(commands).toBe(1);
	});

	it.each<[string, (store: SandboxStore<Shop>) => Promise<unknown>, number | undefined]>([
		['writes', (store) => store.update('product', 'a', () => ({ price: 2 })), 2],
		['deletes', (store) => store.delete('product', 'a'), undefined],
		['deletes by a change', (store) => store.update('product', 'a', () => undefined), undefined],
		['replaces', (store) => store.replace({ product: [['a', { price: 3 }]] }), 3],
		['derives', (store) => store.replace((list) => ({ product: list('product').slice(1) })), undefined]
	])('a request sees at once what another process or its own %s', async (_, change, price) => {
		const ids = [0, 1] as const;
		for (const writer of ids) {
			const stores = open();
			await stores[0].update('product', 'a', () => ({ price: 1 }));
			for (const store of stores) expect(await (await begin(store)).get('product', 'a')).toEqual({ price: 1 });
			const running = await begin(stores[writer]);
			await change(stores[writer]);
			const expected = price === undefined ? undefined : { price };
			expect(await running.get('product', 'a')).toEqual(expected);
			for (const store of stores) {
				expect(await (await begin(store, ['product', 'a'])).get('product', 'a')).toEqual(expected);
				expect((await (await begin(store)).list('product')).length).toBe(expected === undefined ? 0 : 1);
			}
		}
	});

	it('is never older than the beginning of the request while two processes write and read', async () => {
		const stores = open();
		let written = 0;
		const write = async () => {
			for (let price = 1; price <= 200; price++) {
				await stores[price % 2 === 0 ? 0 : 1].update('product', 'a', () => ({ price }));
				written = price;
			}
		};
		const writing = write();
		const stale: unknown[] = [];
		const read = async (store: SandboxStore<Shop>, isExpected: boolean) => {
			while (written < 200) {
				const least = written;
				const request = await (isExpected ? begin(store, ['product', 'a']) : begin(store));
				const price = (await request.get('product', 'a'))?.price ?? 0;
				if (price < least) stale.push([price, least]);
			}
		};
		await Promise.all([
			writing,
			...stores.flatMap((store) => [read(store, true), read(store, true), read(store, false)])
		]);
		expect(stale).toEqual([]);
	});

	it('reads again over a new connection, because Redis may have lost what it had', async () => {
		const own = await startRedis();
		const link = await RedisLink.open(own.url, () => undefined);
		const clocks = { sandbox: () => 0, real: () => 0 };
		const store = createRedisStore<Shop>(link, new RedisKeys('t'), rules).forSandbox('x', clocks);
		await store.update('product', 'a', () => ({ price: 1 }));
		expect(await (await begin(store)).get('product', 'a')).toEqual({ price: 1 });
		await own.kill();
		await own.restart();
		await expect.poll(() => link.send('ping').catch(() => undefined)).toBe('PONG');
		expect(await (await begin(store)).get('product', 'a')).toBeUndefined();
		link.close();
		await own.close();
	});
});
