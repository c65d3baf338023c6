import { expect, it, onTestFinished } from 'vitest';
import { openRedis } from '#hosts/node/redis/open-redis.server.ts';
import { startServer } from '#hosts/node/server.server.ts';
import { createNodeService } from '#hosts/node-service.server.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { fastScrypt } from '../conformance/hosts/fast-scrypt.ts';
import { inTurns, openReplica } from '../conformance/hosts/replicas.ts';
import { socketTransport } from '../conformance/hosts/sockets.ts';
import { runOn } from '../conformance/run-on.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import type { Transport } from '../conformance/transport.ts';
import { testCertificate } from '../hosts/certificate.ts';
import { describeWithRedis, kept, startRedis } from '../hosts/redis/redis-server.ts';
import { expectKept, noChanges, untilSomeChanges, type Acknowledged } from './acknowledged.ts';

const rounds = 20;
const workers = 6;

describeWithRedis('STORE=redis', () => {
	runOn({ name: 'two node hosts over TLS sockets, in turns', start: startServers });

	it('loses nothing that a response acknowledged when Redis is killed under load', async () => {
		const redis = await startRedis(kept);
		const options = { report: () => undefined };
		const replicas = await Promise.all([openReplica(redis.url, options), openReplica(redis.url, options)]);
		onTestFinished(async () => {
			for (const replica of replicas) replica.close();
			await redis.close();
		});
		const [first] = replicas;
		const failures = new Map<number, number>();
		const { send, stream } = inTurns(replicas.map(({ transport }) => transport));
		const transport: Transport = {
			...first.transport,
			stream,
			async send(sent) {
				const response = await send(sent);
				const { status = 0 } = response ?? {};
				if (status === 0 || status >= 500) failures.set(status, (failures.get(status) ?? 0) + 1);
				return response;
			}
		};
		const at = await Sandbox.create(transport);
		let checked = 0;
		for (let round = 0; round < rounds; round++) {
			const known: Known = { ...noChanges(), isOver: false };
			const load = Array.from({ length: workers }, (_, worker) => use(at, known, `${round} ${worker}`));
			await untilSomeChanges(known);
			await redis.kill();
			await new Promise((resolve) => setTimeout(resolve, 200));
			known.isOver = true;
			await Promise.all(load);
			await redis.restart();
			for (const { problem } of replicas) await expect.poll(problem).toBeUndefined();
			checked += await expectKept(at, known);
		}
		console.log(
			`${rounds} times kill -9 of Redis, ${checked} acknowledged changes, none lost; failures by status:`,
			failures
		);
		expect([...failures.keys()], 'requests fail with 503 only').toEqual([503]);
	});
});

/** What a client knows, and whether its load ends. */
type Known = Acknowledged & { isOver: boolean };

/** Uses the service, also while it fails, and records what it acknowledges. */
async function use(at: Sandbox, known: Known, name: string): Promise<void> {
	while (!known.isOver) {
		try {
			const code = await at.user().code(at.viewer, { access_type: 'offline' });
			const { refresh_token } = (await at.exchange(code)).tokens;
			known.codes.push(code);
			known.applications.push((await at.register('installed', [], name)).client_id);
			if (refresh_token === undefined) continue;
			if ((await at.revoke(refresh_token)).status === 200) known.revoked.push(refresh_token);
		} catch {
			// The store is away.
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	}
}

/** Two node hosts over one Redis. */
async function startServers(): Promise<Transport> {
	const redis = await startRedis();
	const { certificate } = await testCertificate();
	const report = (fault: unknown) => console.error(fault);
	const start = async (shared?: string) => {
		const { store, traffic, secret, close } = await openRedis<Records>(redis.url, 'test', recordLimits, report);
		const server = await startServer({
			certificate,
			report,
			...(shared === undefined ? {} : { origin: shared }),
			service: (origin) => createNodeService({ report, origin, store, traffic, secret, scrypt: fastScrypt })
		});
		const transport = socketTransport(server.origin, () => server.close().then(close), server.port);
		return { origin: server.origin, transport };
	};
	const first = await start();
	const transports = [first.transport, (await start(first.origin)).transport];
	return {
		origin: first.origin,
		...inTurns(transports),
		async close() {
			for (const transport of transports) await transport.close();
			await redis.close();
		}
	};
}
