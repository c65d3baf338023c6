import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { RedisLink } from '#hosts/node/redis/redis-link.server.ts';
import { hasRedis, skippedTests } from '../../run/redis.js';

const isInstalled = hasRedis();
if (!isInstalled) console.warn(skippedTests);

/** `describe`, on a machine that can run `redis-server`. */
export const describeWithRedis = describe.skipIf(!isInstalled);

/** A separate Redis, with its data in its own folder. */
export type RedisServer = {
	/** `redis://127.0.0.1:PORT` */
	readonly url: string;
	/** Where it keeps its data. */
	readonly folder: string;
	/** The process, to stop or continue it. */
	readonly child: () => ChildProcess;
	/** Starts it again, on the same port. */
	restart(): Promise<void>;
	/** Ends it at once (SIGKILL). */
	kill(): Promise<void>;
	/** Ends it and deletes its data. */
	close(): Promise<void>;
};

/**
 * Starts Redis on a port that the system chooses.
 * @param settings arguments of `redis-server`, in addition
 */
export async function startRedis(settings: readonly string[] = []): Promise<RedisServer> {
	const folder = await mkdtemp(join(tmpdir(), 'tollgate-redis-'));
	const port = await freePort();
	const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...settings];
	let child = await run(own);
	const kill = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill('SIGKILL');
		await once(child, 'exit');
	};
	return {
		url: `redis://127.0.0.1:${port}`,
		folder,
		child: () => child,
		async restart() {
			child = await run(own);
		},
		kill,
		async close() {
			await kill();
			await rm(folder, { recursive: true });
		}
	};
}

/** Starts a cluster of one node. It rejects commands and scripts whose keys are in several slots. */
export async function startCluster(): Promise<RedisServer> {
	const bus = ['--cluster-port', String(await freePort())];
	const redis = await startRedis(['--cluster-enabled', 'yes', '--cluster-require-full-coverage', 'no', ...bus]);
	const link = await RedisLink.open(redis.url, () => undefined);
	await link.send('cluster', 'addslotsrange', 0, 16383);
	const isReady = async () => String(await link.send('cluster', 'info')).includes('cluster_state:ok');
	while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 20));
	link.close();
	return redis;
}

/** Resolves when it takes connections. */
function run(settings: readonly string[]): Promise<ChildProcess> {
	const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
	return new Promise((resolve, reject) => {
		let output = '';
		child.stdout.on('data', (text: Buffer) => {
			output += text.toString();
			if (output.includes('Ready to accept connections')) resolve(child);
		});
		child.once('exit', () => reject(new Error(`redis-server ended:\n${output}`)));
	});
}

/** A port that no program listens on now. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Several servers, of which one can fail. */
export type RedisGroup = {
	/** For `STORE`. */
	readonly url: string;
	/** Ends the primary that has the sandbox, at once (SIGKILL). */
	killPrimaryOf(key: string): Promise<void>;
	/** Ends all. */
	close(): Promise<void>;
};

/** For a server whose data outlives SIGKILL. Without `always`, Redis puts off writing while the disk is busy. */
export const kept = ['--appendonly', 'yes', '--appendfsync', 'always'];

/** Starts a cluster of three primaries, each with a replica. */
export async function startClusterOfThree(): Promise<RedisGroup> {
	const nodes = await Promise.all(
		Array.from({ length: 6 }, async () => {
			const bus = ['--cluster-port', String(await freePort())];
			return startRedis([...kept, '--cluster-enabled', 'yes', '--cluster-node-timeout', '1000', ...bus]);
		})
	);
	const places = nodes.map(({ url }) => new URL(url).host);
	await cli('--cluster', 'create', ...places, '--cluster-replicas', '1', '--cluster-yes');
	const first = portOf(nodes[0]);
	for (const port of nodes.map(portOf)) {
		await until(async () => (await cli('-p', port, 'cluster', 'info')).includes('cluster_state:ok'));
		await until(async () => (await cli('-p', port, 'cluster', 'nodes')).match(/\bslave\b/g)?.length === 3);
		await until(() => isSynchronised(port));
	}
	return {
		url: `redis+cluster://${places.slice(0, 3).join()}`,
		async killPrimaryOf(key) {
			const reply = await cli('-p', first, 'cluster', 'keyslot', key);
			const slots = await cli('-p', first, 'cluster', 'nodes');
			const port = primaryOf(Number(reply), slots);
			await nodes.find((node) => portOf(node) === port)?.kill();
		},
		close: async () => void (await Promise.all(nodes.map((node) => node.close())))
	};
}

/** Starts a primary with a replica, and three Sentinels. */
export async function startSentinels(): Promise<RedisGroup> {
	const primary = await startRedis(kept);
	const replica = await startRedis([...kept, '--replicaof', '127.0.0.1', portOf(primary)]);
	const watched = [
		`sentinel monitor main 127.0.0.1 ${portOf(primary)} 2`,
		'sentinel down-after-milliseconds main 500',
		'sentinel failover-timeout main 2000'
	];
	const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(watched)));
	const knowsAll = async (port: string) => {
		const [master, others] = await Promise.all([
			cli('-p', port, 'sentinel', 'replicas', 'main'),
			cli('-p', port, 'sentinel', 'sentinels', 'main')
		]);
		return master.includes(portOf(replica)) && others.split('name').length === 3;
	};
	for (const { port } of sentinels) await until(() => knowsAll(port));
	await until(() => isSynchronised(portOf(replica)));
	return {
		url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join()}/main`,
		killPrimaryOf: () => primary.kill(),
		async close() {
			for (const { close } of sentinels) await close();
			await Promise.all([primary.close(), replica.close()]);
		}
	};
}

async function startSentinel(lines: readonly string[]) {
	const folder = await mkdtemp(join(tmpdir(), 'tollgate-sentinel-'));
	const port = String(await freePort());
	const file = join(folder, 'sentinel.conf');
	await writeFile(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines, ''].join('\n'));
	const child = spawn('redis-server', [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'inherit'] });
	await once(child.stdout, 'data');
	const close = async () => {
		child.kill('SIGKILL');
		await once(child, 'exit');
		await rm(folder, { recursive: true });
	};
	return { port, close };
}

/** The port of the primary of a slot, as `cluster nodes` lists it. */
function primaryOf(slot: number, nodes: string): string | undefined {
	for (const line of nodes.split('\n')) {
		const [, address = '', , , , , , , ...ranges] = line.split(' ');
		const isOwn = ranges.some((range) => {
			const [from = NaN, to = from] = range.split('-').map(Number);
			return from <= slot && slot <= to;
		});
		if (isOwn) return /:(\d+)@/.exec(address)?.[1];
	}
	return undefined;
}

/** Whether a server is a primary, or a replica that has the data of its primary. */
async function isSynchronised(port: string): Promise<boolean> {
	const text = await cli('-p', port, 'info', 'replication');
	return text.includes('role:master') || text.includes('master_link_status:up');
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
	while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 100));
}

function portOf(server: RedisServer | undefined): string {
	return server === undefined ? '' : new URL(server.url).port;
}

async function cli(...words: readonly string[]): Promise<string> {
	return (await promisify(execFile)('redis-cli', [...words])).stdout;
}
