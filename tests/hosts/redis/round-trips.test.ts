import { expect, it, onTestFinished, vi } from 'vitest';
import { RedisLink } from '#hosts/node/redis/redis-link.server.ts';
import { openReplica } from '../../conformance/hosts/replicas.ts';
import { Sandbox } from '../../conformance/sandbox.ts';
import { describeWithRedis, startRedis } from './redis-server.ts';

/** How many requests are counted. Some of them also delete the oldest entries of the traffic log. */
const requests = 100;

async function start() {
	const redis = await startRedis();
	const replica = await openReplica(redis.url);
	const link = await RedisLink.open(redis.url, console.error);
	onTestFinished(async () => {
		replica.close();
		link.close();
		await redis.close();
	});
	const at = await Sandbox.create(replica.transport);
	const { access_token, refresh_token } = await at.user().offline();
	const info = async (section: string) => String(await link.send('info', section));
	return { at, access_token, refresh_token, info };
}

/** A figure that Redis counts. */
const figure = (text: string, name: RegExp) => Number(name.exec(text)?.[1] ?? 0);

describeWithRedis('what a request costs in Redis', () => {
	it.each(['character read', 'refresh'] as const)('a %s takes three round trips', async (name) => {
		const { at, access_token, refresh_token, info } = await start();
		const send = () => (name === 'refresh' ? at.refresh(refresh_token) : at.character(access_token));
		for (let warm = 0; warm < 3; warm++) expect((await send()).status).toBe(200);
		const spies = [vi.spyOn(RedisLink.prototype, 'send'), vi.spyOn(RedisLink.prototype, 'run')];
		const before = [await info('stats'), await info('commandstats')];
		for (let count = 0; count < requests; count++) await send();
		const after = [await info('stats'), await info('commandstats')];
		// One of them reads the figures.
		const sent = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0) - 4;
		expect(sent / requests, 'commands outside of scripts').toBeLessThanOrEqual(4);
		const grown = (at: number, name: RegExp) =>
			(figure(after[at] ?? '', name) - figure(before[at] ?? '', name)) / requests;
		expect(Math.round(grown(0, /total_reads_processed:(\d+)/)), 'reads from the connection').toBe(3);
		expect(grown(1, /cmdstat_evalsha:calls=(\d+)/), 'scripts').toBeCloseTo(3, 1);
		expect(grown(1, /cmdstat_hget:calls=(\d+)/), 'reads, also those of scripts').toBeLessThanOrEqual(14);
	});
});
