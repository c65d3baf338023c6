import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openRedis } from '#hosts/node/redis/open-redis.server.ts';
import { RedisError } from '#hosts/node/redis/redis-error.ts';
import { RedisLink } from '#hosts/node/redis/redis-link.server.ts';
import { describeWithRedis, freePort, startRedis } from './redis-server.ts';

const report = vi.fn();
const open = (url: string, prefix = 'test') => openRedis(url, prefix, {}, report);

async function start(settings: readonly string[] = []) {
	const redis = await startRedis(settings);
	onTestFinished(() => redis.close());
	return redis;
}

/** A store, and a connection that changes the settings of its Redis. */
async function openBoth(url: string) {
	const faults: unknown[] = [];
	const store = await openRedis(url, 'test', {}, (fault) => faults.push(fault));
	const link = await RedisLink.open(url, report);
	onTestFinished(() => {
		store.close();
		link.close();
	});
	return { store, link, faults };
}

async function rejection(url: string, prefix?: string): Promise<string> {
	try {
		(await open(url, prefix)).close();
	} catch (error) {
		expect(error).toBeInstanceOf(RedisError);
		return String(error);
	}
	throw new Error('It was opened.');
}

describeWithRedis('opening Redis', () => {
	it('gives each process the same secret, and another one to another prefix', async () => {
		const { url } = await start();
		const stores = [await open(url), await open(url), await open(url, 'other')];
		const [one, same, other] = stores.map(({ secret }) => secret);
		expect([one, other]).toEqual([same, expect.not.stringMatching(one ?? '')]);
		for (const store of stores) store.close();
	});

	it('warns if Redis does not keep its data', async () => {
		const { url } = await start();
		const store = await open(url);
		expect(store.warning).toMatch(/^The store at redis:\/\/127.* has no append-only file/);
		store.close();
		const kept = await open((await start(['--appendonly', 'yes'])).url);
		expect(kept.warning).toBeUndefined();
		kept.close();
	});

	it('rejects data of another version or program, and changes nothing', async () => {
		const { url } = await start();
		const link = await RedisLink.open(url, report);
		await link.send('set', 'test:version', '1');
		await link.send('lpush', 'queue:version', 'job');
		expect(await rejection(url)).toMatch(/with the prefix "test" is of version 1\. .*STORE_PREFIX=name$/);
		expect(await rejection(url, 'queue')).toMatch(/is not of Tollgate/);
		expect(await link.send('dbsize')).toBe(2);
		link.close();
	});

	it('rejects a Redis that may delete records, or that is a cluster', async () => {
		const cache = await start(['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru']);
		expect(await rejection(cache.url)).toMatch(/deletes records .*\(maxmemory-policy allkeys-lru\)\. Set/);
		const cluster = await start(['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())]);
		expect(await rejection(cluster.url)).toMatch(/is a cluster\. Write its address with redis\+cluster:/);
	});

	it('rejects a read-only replica', async () => {
		const primary = await start();
		(await open(primary.url)).close();
		const replica = await start(['--replicaof', '127.0.0.1', new URL(primary.url).port]);
		report.mockClear();
		expect(await rejection(replica.url)).toMatch(
			/ is a read-only replica\. Set STORE to the address of its primary\.$/
		);
	});

	it('reports by name why it accepts no changes, until it accepts them', async () => {
		const redis = await start();
		const { link, store } = await openBoth(redis.url);
		expect(await store.problem()).toBeUndefined();
		const problems: [setting: string, bad: string, good: string, problem: RegExp][] = [
			['maxmemory', '1', '0', /memory is full .*Raise its maxmemory\.$/],
			['min-replicas-to-write', '1', '0', /rejects changes \(NOREPLICAS /]
		];
		for (const [setting, bad, good, problem] of problems) {
			await link.send('config', 'set', setting, bad);
			expect(await store.problem()).toMatch(problem);
			await link.send('config', 'set', setting, good);
			expect(await store.problem()).toBeUndefined();
		}
		await link.send('replicaof', '127.0.0.1', 1);
		expect(await store.problem()).toMatch(/is a read-only replica/);
	});

	it('notices while it runs that Redis may delete records', async () => {
		const redis = await start();
		const { link, store, faults } = await openBoth(redis.url);
		await link.send('config', 'set', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
		for (let count = 0; count < 2; count++) expect(await store.problem()).toMatch(/deletes records/);
		expect(faults.map(String)).toEqual([expect.stringMatching(/deletes records/)]);
	});

	it('writes version and secret again into a Redis that came back empty', async () => {
		const redis = await start();
		const { store } = await openBoth(redis.url);
		await redis.kill();
		await redis.restart();
		await expect.poll(() => store.problem()).toBeUndefined();
		const later = await open(redis.url);
		expect(later.secret).toBe(store.secret);
		later.close();
	});

	it('has a problem within a second while Redis hangs', async () => {
		const redis = await start();
		const { store } = await openBoth(redis.url);
		redis.child().kill('SIGSTOP');
		onTestFinished(() => void redis.child().kill('SIGCONT'));
		const begin = performance.now();
		expect(await store.problem()).toMatch(/does not respond/);
		expect(performance.now() - begin).toBeLessThan(3_000);
	});

	it('names an address at which there is no Redis, or that takes another password', async () => {
		const redis = await start(['--requirepass', 'correct']);
		const at = (password: string) => redis.url.replace('//', `//:${password}@`);
		for (const url of [at('secret'), redis.url]) {
			expect(await rejection(url)).toMatch(/^RedisError: The store at redis:\/\/127\.0\.0\.1:\d+ .*password/);
		}
		(await open(at('correct'))).close();
		await redis.kill();
		const sentence = await rejection(at('secret'));
		expect(sentence).toMatch(/cannot be reached \(connect ECONNREFUSED/);
		expect(sentence).not.toMatch(/secret/);
	});

	it.each([
		['text of another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
		['a number', ':1\r\n'.repeat(20)]
	])('rejects a server that responds with %s', async (_, text) => {
		const server = createServer((socket: Socket) => {
			socket.on('error', () => undefined).on('data', () => socket.write(text));
		}).listen(0, '127.0.0.1');
		onTestFinished(() => void server.close());
		await once(server, 'listening');
		const address = server.address();
		const port = typeof address === 'object' ? address?.port : 0;
		expect(await rejection(`redis://127.0.0.1:${port}`)).toMatch(/neither Redis nor Valkey|cannot be reached/);
	});
});
