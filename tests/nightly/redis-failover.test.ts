import { expect, it, onTestFinished } from 'vitest';
import { inTurns, openReplica, startReplicas } from '../conformance/hosts/replicas.ts';
import { runOn } from '../conformance/run-on.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import {
	describeWithRedis,
	startClusterOfThree,
	startSentinels,
	type RedisGroup
} from '../hosts/redis/redis-server.ts';
import { changesIn, lostOf, noChanges, untilSomeChanges, type Acknowledged } from './acknowledged.ts';

const workers = 6;
/** How many of the acknowledged changes a failover may lose: those of its last moment, which the replica did not get. */
const mayLose = 6;

describeWithRedis('STORE=redis+cluster', () => {
	runOn({
		name: 'two services over a cluster of three, in turns',
		async start() {
			const group = await startClusterOfThree();
			return startReplicas(group.url, () => group.close());
		}
	});
});

describeWithRedis('a primary that is killed under load', () => {
	it.each<[string, () => Promise<RedisGroup>]>([
		['a cluster of three', startClusterOfThree],
		['three Sentinels', startSentinels]
	])(
		'%s: another one takes over, nothing happens twice, and only the last changes can be lost',
		async (name, start) => {
			const group = await start();
			const faults: unknown[] = [];
			const options = { report: (fault: unknown) => faults.push(fault) };
			const replicas = await Promise.all([openReplica(group.url, options), openReplica(group.url, options)]);
			onTestFinished(async () => {
				for (const replica of replicas) replica.close();
				await group.close();
			});
			const [first] = replicas;
			const at = await Sandbox.create({ ...first.transport, ...inTurns(replicas.map(({ transport }) => transport)) });
			const known = { ...noChanges(), isOver: false, twice: 0, statuses: new Set<number>() };
			const load = Array.from({ length: workers }, (_, worker) => use(at, known, `${worker}`));
			await untilSomeChanges(known);
			const before = changesIn(known);
			await group.killPrimaryOf(`test:{${at.id}}`);
			await expect.poll(() => changesIn(known), { timeout: 60_000 }).toBeGreaterThan(before + 2 * workers);
			known.isOver = true;
			await Promise.all(load);
			for (const { problem } of replicas) await expect.poll(problem, { timeout: 30_000 }).toBeUndefined();
			const lost = await lostOf(at, known);
			console.log(`${name}: ${changesIn(known)} acknowledged changes, ${before} before the kill, ${lost} lost`);
			expect(known.twice, 'codes that were exchanged twice').toBe(0);
			expect(lost).toBeLessThanOrEqual(mayLose);
			expect([...known.statuses].filter((status) => ![200, 201, 204, 302, 303, 400, 503].includes(status))).toEqual([]);
		}
	);
});

type Known = Acknowledged & { isOver: boolean; twice: number; readonly statuses: Set<number> };

/** Uses the service, also while it fails. Exchanges each code twice at the same moment. */
async function use(at: Sandbox, known: Known, name: string): Promise<void> {
	while (!known.isOver) {
		try {
			const code = await at.user().code(at.viewer, { access_type: 'offline' });
			const responses = await Promise.all([at.exchange(code), at.exchange(code)]);
			for (const { status } of responses) known.statuses.add(status);
			const successes = responses.filter(({ status }) => status === 200).length;
			if (successes > 0) known.codes.push(code);
			if (successes > 1) known.twice++;
			// A sandbox holds 50.
			if (known.applications.length < 40) known.applications.push((await at.register('installed', [], name)).client_id);
		} catch {
			// The store is away.
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	}
}
