// Requests per second of one, two and three servers over one Redis, on one core together.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasRedis, skippedTests } from '../../run/redis.js';
import { placement, startBenched, startLoad } from '../machine.js';
import { heading, median, table, whole } from '../report.js';
import { measure, targetOf } from './throughput.js';

/** @typedef {Awaited<ReturnType<typeof targetOf>>} Target */

const most = 3;
const turns = 3;
const seconds = 2;
const connections = 24;

/** @type {import('../run.js').Part} */
export const replicas = {
	names: ['replicas'],
	async run() {
		if (!hasRedis()) {
			console.warn(skippedTests);
			return;
		}
		heading(`A character read with STORE=redis, one to ${most} servers: ${placement}, Redis wherever it runs`);
		const redis = await startRedis();
		/** @type {import('../machine.js').Benched[]} */
		const servers = [];
		const loads = Array.from({ length: most }, startLoad);
		try {
			const memory = await startBenched('node');
			const rows = [['1, in memory', ...(await figures([memory], await targetOf(memory), loads))]];
			await memory.close();
			/** Once signed in, at every server. @type {Target | undefined} */
			let target;
			while (servers.length < most) {
				// Each prints the origin of the first, which all of them have.
				const port = await freePort();
				const ORIGIN = servers[0]?.origin ?? `https://localhost:${port}`;
				const server = await startBenched('node', { STORE: redis.url, PORT: String(port), ORIGIN });
				servers.push({ ...server, port });
				target ??= await targetOf(server);
				rows.push([`${servers.length}, over Redis`, ...(await figures(servers, target, loads))]);
			}
			table(['servers', 'per second', 'per core second', 'p50 ms', 'p99 ms'], rows);
		} finally {
			for (const load of loads) load.close();
			await Promise.all(servers.map((server) => server.close()));
			redis.close();
		}
	}
};

/**
 * @param {import('../machine.js').Benched[]} servers which share one sandbox
 * @param {Target} target
 * @param {ReturnType<typeof startLoad>[]} loads
 */
async function figures(servers, target, loads) {
	/** @type {import('./throughput.js').Turn[][]} */
	const taken = [];
	for (let turn = 0; turn <= turns; turn += 1) {
		const results = await Promise.all(
			servers.map((server, index) => {
				const job = { script: 'character', port: server.port, target, connections, seconds };
				return measure(server, () => loads[index]?.run(job) ?? Promise.reject(new Error('no load generator')));
			})
		);
		// The first turn only warms up.
		if (turn > 0) taken.push(results);
	}
	/** @param {(results: import('./throughput.js').Turn[]) => number} of */
	const typical = (of) => median(taken.map(of));
	const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
	return [
		whole(typical((results) => sum(results.map(({ perSecond }) => perSecond)))),
		whole(typical((results) => sum(results.map(({ perCoreSecond }) => perCoreSecond)) / results.length)),
		typical((results) => median(results.map(({ p50 }) => p50))).toFixed(2),
		typical((results) => Math.max(...results.map(({ p99 }) => p99))).toFixed(2)
	];
}

/** A port that no program listens on now. */
async function freePort() {
	const probe = createServer().listen(0, '127.0.0.1');
	await once(probe, 'listening');
	const address = probe.address();
	probe.close();
	await once(probe, 'close');
	return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts Redis on a free port. */
async function startRedis() {
	const port = await freePort();
	const folder = mkdtempSync(join(tmpdir(), 'tollgate-redis-'));
	const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
	const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
	await once(child.stdout, 'data');
	return {
		url: `redis://127.0.0.1:${port}`,
		close() {
			child.kill('SIGKILL');
			rmSync(folder, { recursive: true, force: true });
		}
	};
}
