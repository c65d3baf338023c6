import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { RedisLink } from '#hosts/node/redis/redis-link.server.ts';
import { openReplica } from '../../conformance/hosts/replicas.ts';
import { Sandbox } from '../../conformance/sandbox.ts';
import { describeWithRedis, kept, startRedis } from './redis-server.ts';

/** Two services over a Redis that has written each change to the disk before it responds. */
async function start() {
	const redis = await startRedis(kept);
	const faults: unknown[] = [];
	const options = { report: (fault: unknown) => faults.push(fault) };
	const replicas = await Promise.all([openReplica(redis.url, options), openReplica(redis.url, options)]);
	onTestFinished(async () => {
		for (const replica of replicas) replica.close();
		await redis.close();
	});
	return { redis, replicas, faults };
}

describeWithRedis('servers over a Redis that ends and starts again', () => {
	it('respond 503 on every path until it is back, and have lost nothing that they acknowledged', async () => {
		const { redis, replicas, faults } = await start();
		const [one, other] = replicas;
		const at = await Sandbox.create(one.transport);
		const code = await at.user().code(at.viewer, { access_type: 'offline' });
		const { access_token, refresh_token } = (await at.exchange(code)).tokens;
		await redis.kill();

		const paths = [
			'/ws/oauth2/auth/?client_id=character-viewer',
			'/ws/v2.0/character/x',
			'/ratelimiting',
			'/control/sandbox'
		];
		for (const { transport } of replicas) {
			for (const prefix of [at.prefix, '']) {
				for (const path of paths) {
					const response = await transport.send({ target: prefix + path, headers: ['Accept', 'application/json'] });
					const { error, error_description } = JSON.parse(response?.body ?? '{}');
					expect([response?.status, error], prefix + path).toEqual([503, 'temporarily_unavailable']);
					expect(error_description).toBe('The store of this server cannot be reached. Try again in a moment.');
					expect(response?.headers).toContain('Retry-After');
				}
			}
		}
		const request = { method: 'GET', target: `${at.prefix}/viewer`, headers: [], peer: '127.0.0.1' };
		expect([await one.service.hasSandbox(request.target), await one.service.isBlacklisted(request)]).toEqual([
			false,
			false
		]);
		for (const fault of faults) expect(String(fault), 'no request').toMatch(/^Error: The store does not work/);
		expect(faults.length, 'not once per request').toBeLessThan(10);

		await redis.restart();
		for (const { problem } of replicas) await expect.poll(problem).toBeUndefined();
		const elsewhere = at.through(other.transport);
		expect((await elsewhere.character(access_token)).status).toBe(200);
		expect((await elsewhere.refresh(refresh_token ?? '')).status).toBe(200);
		expect((await elsewhere.exchange(code)).error, 'the code stays used').toBe('invalid_grant');
	});

	it('respond 503 while it hangs, and recover when it continues', async () => {
		const { redis, replicas } = await start();
		redis.child().kill('SIGSTOP');
		const statuses = replicas.map(async ({ transport }) => (await transport.send({ target: '/ratelimiting' }))?.status);
		expect(await Promise.all(statuses)).toEqual([503, 503]);
		redis.child().kill('SIGCONT');
		for (const { problem, transport } of replicas) {
			await expect.poll(problem).toBeUndefined();
			expect((await transport.send({ target: '/ratelimiting' }))?.status).toBe(200);
		}
	});

	it('respond 503 while it cannot write its dump, and recover when it can', async () => {
		const { redis, replicas, faults } = await start();
		const [{ transport, problem }] = replicas;
		const link = await RedisLink.open(redis.url, () => undefined);
		onTestFinished(() => link.close());
		// Redis accepts no changes after a failed dump only if it is to make dumps.
		await link.send('config', 'set', 'save', '3600 1000000');
		const dump = join(redis.folder, 'dump.rdb');
		const makeDump = async (status: string) => {
			await link.send('bgsave');
			await expect
				.poll(async () => String(await link.send('info', 'persistence')))
				.toMatch(new RegExp(`rdb_bgsave_in_progress:0[^]*rdb_last_bgsave_status:${status}`));
		};
		await mkdir(dump);
		await makeDump('err');

		const read = () => transport.send({ target: '/ws/v2.0/character/x', headers: ['Accept', 'application/json'] });
		const response = await read();
		const { error, error_description } = JSON.parse(response?.body ?? '{}');
		expect([response?.status, error]).toEqual([503, 'temporarily_unavailable']);
		expect(error_description).toBe('The store of this server accepts no changes now. Try again in a moment.');
		expect(await problem()).toMatch(/cannot write to its disk \(MISCONF\)\. Free some space there\.$/);
		expect(faults.map(String).join()).toContain('MISCONF');

		await rmdir(dump);
		await makeDump('ok');
		await expect.poll(problem).toBeUndefined();
		expect((await read())?.status).toBe(401);
	});
});
