import { expect, it, onTestFinished } from 'vitest';
import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { inTurns, openReplica } from '../conformance/hosts/replicas.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import { describeWithRedis, startRedis } from '../hosts/redis/redis-server.ts';

/** How many services, each with a separate connection and store, share one Redis, and how many requests each gets at once. */
const services = 20;
const each = 5;
const limit = 40;

/** How many requests at once each algorithm accepts. */
const atOnce = {
	fixed_window: limit,
	sliding_log: limit,
	sliding_counter: limit,
	token_bucket: limit,
	leaky_bucket: 1,
	gcra: limit / 10
};

describeWithRedis(`${services} services over one Redis`, () => {
	it.each(limitAlgorithmNames)('%s: they never accept more requests together than the limit', async (name) => {
		const redis = await startRedis();
		const replicas = await Promise.all(Array.from({ length: services }, () => openReplica(redis.url)));
		onTestFinished(async () => {
			for (const replica of replicas) replica.close();
			await redis.close();
		});
		const [first] = replicas;
		if (first === undefined) throw new Error('There is no service.');
		const at = await Sandbox.create({ ...first.transport, ...inTurns(replicas.map(({ transport }) => transport)) });
		await at.changeSettings({ limits: { character: limit, window: 86_400 }, limit_algorithm: name });
		const { access_token } = await at.user().tokens();
		const responses = await Promise.all(Array.from({ length: services * each }, () => at.character(access_token)));
		const accepted = responses.filter(({ status }) => status === 200);
		const left = accepted.map((response) => response.limit.remaining);
		expect(accepted.length).toBe(atOnce[name]);
		expect(new Set(left).size).toBe(left.length);
	});
});
