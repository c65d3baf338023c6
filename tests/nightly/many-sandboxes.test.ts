import { expect, it, onTestFinished } from 'vitest';
import { RedisKeys } from '#hosts/node/redis/redis-keys.ts';
import { RedisLink, script } from '#hosts/node/redis/redis-link.server.ts';
import { createRedisStore } from '#hosts/node/redis/open-redis.server.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { RecordSet } from '#store/store.ts';
import { describeWithRedis, startRedis } from '../hosts/redis/redis-server.ts';
import { createTestService } from '../service/test-service.ts';

/** How many sandboxes there are. */
const count = 100_000;
/** How many are made at once. */
const atOnce = 100;
/** How many of them are in use. */
const active = 1_000;
const clocks = { sandbox: () => 0, real: () => 0 };

describeWithRedis('Redis with 100,000 sandboxes', () => {
	it('holds a typical sandbox in a few kilobytes, in one slot each, and is as fast as with few', async () => {
		const redis = await startRedis();
		const link = await RedisLink.open(redis.url, (fault) => console.error(fault));
		onTestFinished(async () => {
			link.close();
			await redis.close();
		});
		const store = createRedisStore<Records>(link, new RedisKeys('t'), recordLimits);
		const records = await typicalRecords();
		const timeUpdates = async () => {
			const begin = performance.now();
			for (let round = 0; round < 20; round++) {
				const updates = Array.from({ length: active }, (_, at) =>
					store.forSandbox(`sandbox-${(at * 97) % count}`, clocks).update('rate_limit_window', 'a', (known) => ({
						count: (known?.count ?? 0) + 1,
						refused: 0,
						expires: 1e15
					}))
				);
				await Promise.all(updates);
			}
			return (20 * active * 1000) / (performance.now() - begin);
		};
		const few = await timeUpdates();
		const before = await memoryOf(link);
		const begin = performance.now();
		await store.forSandbox(`sandbox-0`, clocks).replace(records);
		const copied = (await scan(link)).filter((key) => key.includes('{sandbox-0}'));
		for (let first = 1; first < count; first += atOnce)
			await link.run(copySandboxes, [...copied], [first, Math.min(first + atOnce, count) - 1]);
		const seconds = (performance.now() - begin) / 1000;
		const bytes = ((await memoryOf(link)) - before) / count;
		const many = await timeUpdates();
		const listed = performance.now();
		expect(await store.sandboxes()).toHaveLength(count);
		const list = (performance.now() - listed) / 1000;

		const keys = await scan(link);
		const slots = new Map<string, Set<string>>();
		for (const key of keys) {
			const tag = /^t:\{([^{}]+)\}/.exec(key)?.[1];
			if (tag === undefined) expect(['t:sandboxes', 't:secret', 't:version']).toContain(key);
			else slots.set(tag, (slots.get(tag) ?? new Set()).add(String(slotOf(tag))));
		}
		expect(slots.size).toBe(count);
		const shares = new Map<number, number>();
		for (const tag of slots.keys()) shares.set(slotOf(tag) >> 10, (shares.get(slotOf(tag) >> 10) ?? 0) + 1);
		const [least, most] = [Math.min(...shares.values()), Math.max(...shares.values())];
		console.log(
			`${count} sandboxes made in ${seconds.toFixed(0)} s, ${bytes.toFixed(0)} bytes and ${(keys.length / count).toFixed(1)} keys each; ` +
				`${few.toFixed(0)} updates/s before, ${many.toFixed(0)} with all; listed in ${list.toFixed(1)} s; ` +
				`16 nodes would hold ${least} to ${most} each; this process takes ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`
		);
		expect(bytes).toBeLessThan(20_000);
		expect(most / least).toBeLessThan(1.2);
		expect(many).toBeGreaterThan(few / 3);
	}, 900_000);
});

/** Makes sandboxes with the records of the first one. To write the records of all takes ten minutes. */
const copySandboxes = script(`
for number = ARGV[1], ARGV[2] do
	local id = 'sandbox-' .. string.format('%d', number)
	for _, key in ipairs(KEYS) do redis.call('COPY', key, (string.gsub(key, 'sandbox%-0', id))) end
	redis.call('SADD', 't:sandboxes', id)
end
`);

/** The records of a sandbox in which each demo user has signed in once. */
async function typicalRecords(): Promise<RecordSet<Records>> {
	const store = createMemoryStore<Records>(recordLimits);
	const tested = createTestService({ store });
	const at = await tested.sandbox();
	await at.user().offline(at.viewer);
	for (let walk = 0; walk < 2; walk++) await at.user().tokens();
	const of = store.forSandbox(at.id, clocks);
	return {
		state: await of.list('state'),
		application: await of.list('application'),
		account: await of.list('account'),
		grant: await of.list('grant'),
		token_family: await of.list('token_family'),
		code: await of.list('code'),
		access_token: await of.list('access_token'),
		refresh_token: await of.list('refresh_token')
	};
}

async function memoryOf(link: RedisLink): Promise<number> {
	return Number(/used_memory:(\d+)/.exec(String(await link.send('info', 'memory')))?.[1]);
}

async function scan(link: RedisLink): Promise<string[]> {
	const keys: string[] = [];
	let cursor = '0';
	do {
		const reply = await link.send('scan', cursor, 'COUNT', 10_000);
		const [next, found]: unknown[] = Array.isArray(reply) ? reply : [];
		cursor = String(next);
		if (Array.isArray(found)) for (const key of found) keys.push(String(key));
	} while (cursor !== '0');
	return keys;
}

/** The slot of a hash tag: CRC-16 (XMODEM) modulo 16384, as Redis Cluster computes it. */
function slotOf(tag: string): number {
	let crc = 0;
	for (const byte of Buffer.from(tag)) {
		crc ^= byte << 8;
		for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
	}
	return crc % 16_384;
}
