// What a good client notices of attacks from another address, and what they leave behind.
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { healthCheck, read, use } from '../good-client.js';
import { placement, startBenched, startLoad } from '../machine.js';
import { heading, percentile, target, whole } from '../report.js';
import { control, sendPassword } from '../sign-in.js';

/** @typedef {import('../machine.js').Benched} Benched */
/** @typedef {Awaited<ReturnType<typeof prepare>>} Prepared */

/**
 * @typedef {object} Attack
 * @property {string} title
 * @property {number} connections
 * @property {string} [script] what each connection does, one request after the other, or
 * @property {(prepared: Prepared) => Promise<Buffer> | Buffer} [bytes] what each connection sends without reading responses
 * @property {boolean} [isPlain] without TLS
 * @property {number} [lifetime] of a connection, in milliseconds
 * @property {(origin: string) => Promise<unknown>} [goodClient] what the good client does, by default a health check
 */

const key = 'an-admin-key-for-the-bench';
const attacker = '127.0.0.2';
const seconds = 10;
/** Until the TLS handshakes of the attack are over, in seconds. */
const warmUp = 3;
/** How long to wait for memory and descriptors to return, in seconds. */
const patience = 30;
const largestChunk = findLargestChunk();

/** @type {Attack[]} */
const attacks = [
	{ title: 'pages pipelined, not read', connections: 40, bytes: ({ get }) => get('/viewer', 1500) },
	{
		title: 'snapshots pipelined, not read',
		connections: 20,
		bytes: ({ get, sandbox }) => get(`${sandbox}/control/snapshot`, 300)
	},
	{ title: 'downloads broken off', connections: 27, lifetime: 1000, bytes: ({ get }) => get(largestChunk, 1450) },
	{
		title: 'a recorded ClientHello',
		connections: 4,
		isPlain: true,
		lifetime: 20,
		bytes: () => clientHello('ffdhe8192')
	},
	{ title: 'sandboxes filled', connections: 4, script: 'sandbox' },
	{ title: 'connections without a byte', connections: 10_500, isPlain: true, bytes: () => Buffer.alloc(0) },
	{ title: 'snapshots', connections: 8, script: 'snapshot' },
	{ title: 'accounts (sign-in measured)', connections: 300, script: 'account', goodClient: sendPassword },
	{ title: 'pages', connections: 300, script: 'home' }
];

/** @type {import('../run.js').Part} */
export const attack = {
	names: ['attack'],
	async run() {
		heading(`Attacks for ${seconds} s each, and what another client notices: ${placement}`);
		const columns = ['p50 ms', 'p99', 'failed', 'MB before', 'most', 'after', 'files before', 'most', 'after'];
		/** @param {string[]} cells */
		const print = ([title = '', ...cells]) =>
			console.log(
				`  ${title.padEnd(32)}${cells.map((cell, at) => cell.padStart((columns[at]?.length ?? 0) + 3)).join('')}`
			);
		print(['attack', ...columns]);
		for (const one of attacks) {
			const { times, failed, before, most, after } = await measure(one);
			const levels = [before, most, after];
			const p99 = percentile(times, 0.99);
			print([
				one.title,
				percentile(times, 0.5).toFixed(1),
				p99.toFixed(1),
				String(failed),
				...levels.map(({ resident }) => whole(resident)),
				...levels.map(({ files }) => String(files))
			]);
			target('p99 under 100 ms, nothing failed', p99 < 100 && failed === 0);
			const growth = (most.resident - before.resident) / one.connections;
			if (one.bytes && !one.isPlain) target(`under 5 MB a connection: ${growth.toFixed(1)} MB`, growth < 5);
			const isBack = after.files <= before.files + 5 && after.resident < before.resident + 150;
			target(`memory and descriptors are back within ${patience} s`, isBack);
		}
	}
};

/** @param {Attack} attack */
async function measure({ connections, script, bytes, isPlain = false, lifetime, goodClient }) {
	const server = await startBenched('node', { ADMIN_KEY: key });
	const load = startLoad();
	try {
		const prepared = await prepare(server);
		const good = goodClient ?? healthCheck();
		await good(server.origin);
		// Garbage of ordinary load does not count as memory that the attack takes.
		await load.run({ script: 'home', port: server.port, target: prepared, connections: 24, seconds: 2 });
		const before = read(server.pid);
		const job = { port: server.port, localAddress: attacker, connections };
		if (script !== undefined)
			void load.run({ ...job, script, seconds: seconds + warmUp, target: prepared }).catch(() => undefined);
		else if (bytes) {
			const text = (await bytes(prepared)).toString('base64');
			load.flood({ ...job, bytes: text, isTls: !isPlain, ...(lifetime === undefined ? {} : { lifetime }) });
		}
		const most = { ...before };
		const sampling = setInterval(() => {
			const now = read(server.pid);
			most.resident = Math.max(most.resident, now.resident);
			most.files = Math.max(most.files, now.files);
		}, 100);
		await sleep(warmUp * 1000);
		const { times, failed } = await use(() => good(server.origin), seconds);
		load.close();
		let after = read(server.pid);
		const isBack = () => after.resident < before.resident + 20 && after.files <= before.files;
		for (const end = performance.now() + patience * 1000; performance.now() < end && !isBack();) {
			await sleep(2000);
			await Promise.race([server.probe({ collect: true }).catch(() => undefined), sleep(5000)]);
			after = read(server.pid);
		}
		clearInterval(sampling);
		return { times, failed, before, most, after };
	} finally {
		load.close();
		await server.close();
	}
}

/**
 * Makes a sandbox and the largest snapshot that it takes.
 * @param {Benched} server
 */
export async function prepare({ origin }) {
	const { host } = new URL(origin);
	/** @type {{ base_url: string, key: string }} */
	const made = JSON.parse(await control('POST', `${origin}/control/sandboxes`, {}));
	const headers = { 'X-Tollgate-Key': made.key };
	const url = `${made.base_url}/control/snapshot`;
	const empty = await control('GET', url, undefined, headers);
	let snapshot = filled(empty, 4000);
	try {
		await control('PUT', url, snapshot, headers);
	} catch {
		snapshot = filled(empty, 500);
		await control('PUT', url, snapshot, headers);
	}
	const sandbox = made.base_url.slice(origin.length);
	const auth = `X-Tollgate-Key: ${made.key}\r\n`;
	/** @param {string} path @param {number} times */
	const get = (path, times) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${auth}\r\n`.repeat(times));
	const body = JSON.stringify(snapshot);
	return { host, sandbox, key: made.key, body, get, accessToken: '', refreshToken: '', cookie: '', first: 0 };
}

/**
 * @param {string} snapshot
 * @param {number} kilobytes that it is to have
 * @returns {object}
 */
function filled(snapshot, kilobytes) {
	/** @type {{ content: { records: { code: unknown[] } } }} */
	const file = JSON.parse(snapshot);
	const code = {
		client_id: 'character-viewer',
		username: 'player-one',
		grant: 'g',
		scopes: [],
		offline: false,
		redirect_uri: 'x'.repeat(1800),
		validUntil: 0,
		expires: Date.now() + 3_600_000
	};
	for (let number = 0; number < kilobytes / 2; number += 1) file.content.records.code.push([`code-${number}`, code]);
	const checksum = createHash('sha256').update(JSON.stringify(file.content)).digest('base64url');
	return { ...file, checksum };
}

/** The path of the largest script. */
function findLargestChunk() {
	const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../build/kit/client');
	try {
		const files = readdirSync(join(folder, '_app'), { recursive: true, encoding: 'utf8' });
		const scripts = files.filter((name) => name.endsWith('.js')).map((name) => `/_app/${name}`);
		const size = (/** @type {string} */ name) => statSync(join(folder, name)).size;
		return scripts.sort((a, b) => size(b) - size(a))[0] ?? '/service.css';
	} catch {
		return '/service.css'; // not built yet
	}
}

/**
 * The first message of a TLS 1.3 client that offers one group. To send it again costs nothing.
 * @param {string} ecdhCurve
 * @returns {Promise<Buffer>}
 */
function clientHello(ecdhCurve) {
	return new Promise((resolve) => {
		const server = createServer((socket) => {
			socket.once('data', (bytes) => {
				socket.destroy();
				server.close(() => resolve(bytes));
			});
		});
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			const port = typeof address === 'object' && address !== null ? address.port : 0;
			connect({ port, host: '127.0.0.1', ecdhCurve, minVersion: 'TLSv1.3' }).on('error', () => undefined);
		});
	});
}
