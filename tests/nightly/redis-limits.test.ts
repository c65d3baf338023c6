import { expect, it, onTestFinished } from 'vitest';
import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { inTurns, openReplica } from '../conformance/hosts/replicas.ts';
import { socketTransport } from '../conformance/hosts/sockets.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import type { Transport } from '../conformance/transport.ts';
import { describeWithRedis, startRedis } from '../hosts/redis/redis-server.ts';
import { builtHost, dataFolder, startServer } from '../run/server.js';
import { freePort } from './free-port.ts';

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

/** Sends all requests at once, each to the next of the services. @returns what each accepted one had left */
async function race(name: keyof typeof atOnce, transports: readonly Transport[]): Promise<(number | undefined)[]> {
	const [first] = transports;
	if (first === undefined) throw new Error('There is no service.');
	const at = await Sandbox.create({ ...first, ...inTurns(transports) });
	await at.changeSettings({ limits: { character: limit, window: 86_400 }, limit_algorithm: name });
	const { access_token } = await at.user().tokens();
	const responses = await Promise.all(Array.from({ length: services * each }, () => at.character(access_token)));
	return responses.filter(({ status }) => status === 200).map((response) => response.limit.remaining);
}

describeWithRedis(`${services} services over one Redis`, () => {
	it.each(limitAlgorithmNames)('%s: they never accept more requests together than the limit', async (name) => {
		const redis = await startRedis();
		const replicas = await Promise.all(Array.from({ length: services }, () => openReplica(redis.url)));
		onTestFinished(async () => {
			for (const replica of replicas) replica.close();
			await redis.close();
		});
		const left = await race(
			name,
			replicas.map(({ transport }) => transport)
		);
		expect(left.length).toBe(atOnce[name]);
		expect(new Set(left).size).toBe(left.length);
	});

	it(`${services} processes never accept more requests together than the limit, by any algorithm`, async () => {
		const redis = await startRedis();
		const data = dataFolder();
		const ports: number[] = [];
		for (let found = 0; found < services; found++) ports.push(await freePort());
		// One origin, as behind a proxy.
		const settings = { ORIGIN: `https://localhost:${ports[0]}`, DATA_DIR: data.path, STORE: redis.url };
		// One after the other: they share the certificate that the first one makes.
		const servers: Awaited<ReturnType<typeof startServer>>[] = [];
		for (const port of ports)
			servers.push(await startServer([process.execPath, builtHost], { ...settings, PORT: `${port}` }));
		onTestFinished(async () => {
			await Promise.all(servers.map((server) => server.close()));
			await redis.close();
			data.remove();
		});
		const transports = servers.map(({ origin, close }, at) => socketTransport(origin, close, ports[at]));
		const accepted = new Map<string, number>();
		for (const name of limitAlgorithmNames) accepted.set(name, (await race(name, transports)).length);
		expect(Object.fromEntries(accepted)).toEqual(atOnce);
	});
});
