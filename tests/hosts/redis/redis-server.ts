import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
