// Floods that aim at what the server holds: descriptors, the wire, the text of events, and memory after they have ended.
import { createServer } from 'node:net';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { healthCheck, read, use } from '../good-client.js';
import { startBenched, startLoad } from '../machine.js';
import { heading, percentile, target, whole } from '../report.js';
import { control } from '../sign-in.js';
import { prepare } from './attack.js';

/** @typedef {import('../machine.js').Benched} Benched */
/** @typedef {ReturnType<typeof startLoad>} Load */

/**
 * @typedef {object} Observed
 * @property {{ resident: number, files: number }} before memory in MB, open files
 * @property {{ resident: number, files: number }} most
 */

/**
 * @typedef {[text: string, isMet: boolean]} Verdict
 *
 * @typedef {object} Flood
 * @property {string} title
 * @property {number} [latency] the longest p99 of another client, in milliseconds. Default: 100. Infinity: only failures count
 * @property {(server: Benched, newLoad: () => Load, managementPort: number) => Promise<(() => Promise<Verdict>) | void> | void} begin
 *   returns what checks that the flood did what it is meant to do
 * @property {(observed: Observed, server: Benched) => Promise<Verdict>} judge while it lasts
 * @property {(server: Benched) => Promise<Verdict>} [judgeAfter] once the clients are gone
 */

const key = 'an-admin-key-for-the-bench';
const attacker = '127.0.0.2';
/** How long each flood lasts, in seconds, after its connections are open. */
const seconds = 15;
const warmUp = 5;
/** `patience`: how long they may take to open, in seconds. */
const streams = { addresses: 5, sandboxesOfEach: 8, ofEachSandbox: 10, patience: 30, mostMegabytes: 500 };
/** Without the settings for memory and without collecting garbage after load, 199 to 300 MB are left. */
const afterFlood = { leastPeak: 250, seconds: 60, megabytes: 175 };
/**
 * What fills the memory, by script. A server reads long bodies of 32 MiB from one address and 128 MiB from all, so the large bodies
 * (3 MB) come from several addresses. More would only be rejected.
 */
const memoryFlood = [
	{ script: 'largeBody', addresses: 4, connections: 10 },
	{ script: 'account', addresses: 1, connections: 40 },
	{ script: 'snapshot', addresses: 1, connections: 8 },
	{ script: 'home', addresses: 1, connections: 40 }
];
const openApiKilobytes = 64;
/** More than the management port takes. */
const managementConnections = 2500;

/** @type {Flood[]} */
const floods = [
	{
		title: 'half requests to the management port',
		begin: (_server, newLoad, port) => {
			const bytes = Buffer.from('GET / HTTP/1.1\r\nX: ').toString('base64');
			newLoad().flood({ port, localAddress: attacker, connections: managementConnections, bytes, isTls: false });
		},
		judge: async ({ before, most }) => {
			const more = most.files - before.files;
			return [`at most 100 more descriptors: ${more}`, more <= 100];
		}
	},
	{
		title: 'the OpenAPI document',
		begin: async (server, newLoad) => {
			const job = { script: 'openApi', connections: 300, seconds: seconds + warmUp, ...by(attacker, server) };
			void newLoad().run(job).catch(ignore);
		},
		judge: async (_observed, { origin }) => {
			const kilobytes = (await sizeOf(`${origin}/openapi.json`)) / 1024;
			return [`at most ${openApiKilobytes} KiB on the wire: ${whole(kilobytes)}`, kilobytes <= openApiKilobytes];
		}
	},
	{
		title: 'long texts, 400 streams not read',
		begin: async (server, newLoad, managementPort) => {
			const load = newLoad();
			/** @type {string[]} */
			const sandboxes = [];
			for (let number = 0; number < streams.addresses * streams.sandboxesOfEach; number += 1) {
				const localAddress = `127.0.1.${(number % streams.addresses) + 1}`;
				const { path, key: own } = await newSandbox(server.origin);
				sandboxes.push(path);
				const head = `Host: ${new URL(server.origin).host}\r\nX-Tollgate-Key: ${own}\r\n\r\n`;
				const bytes = Buffer.from(`GET ${path}/control/traffic/stream HTTP/1.1\r\n${head}`).toString('base64');
				const { port } = server;
				load.flood({ port, localAddress, connections: streams.ofEachSandbox, bytes, isTls: true });
			}
			const count = streams.addresses * streams.sandboxesOfEach * streams.ofEachSandbox;
			let open = 0;
			for (let waited = 0; waited < streams.patience * 1000 && open < count; waited += 100) {
				await sleep(100);
				open = await openStreams(managementPort);
			}
			const job = { script: 'longText', connections: 40, seconds: seconds + warmUp, ...by(attacker, server) };
			void newLoad()
				.run({ ...job, target: { ...job.target, sandboxes } })
				.catch(ignore);
			return async () => [`${count} streams were open: ${open}`, open === count];
		},
		judge: async ({ most }) => {
			const { mostMegabytes } = streams;
			return [`at most ${mostMegabytes} MB: ${whole(most.resident)}`, most.resident <= mostMegabytes];
		}
	},
	{
		title: 'bodies, passwords, snapshots and pages',
		// Restoring a snapshot and checking a password take a core for tens of milliseconds, and 48 clients ask for that without a
		// pause. So the delay of another client says how fast the machine is. It is printed, and only failures count.
		latency: Infinity,
		begin: async (server, newLoad) => {
			const prepared = await prepare(server);
			const results = memoryFlood.flatMap(({ script, addresses, connections }) =>
				Array.from({ length: addresses }, (_, index) => {
					const job = { script, connections, seconds: seconds + warmUp, port: server.port, target: prepared };
					return newLoad().run({ ...job, localAddress: `127.0.1.${connections + script.length + index}` });
				})
			);
			return async () => {
				const faults = (await Promise.all(results)).flatMap(({ failed, fault }) => (failed > 0 ? fault : []));
				return [
					`every request got the expected response${faults.map((fault) => `; ${fault}`).join('')}`,
					faults.length === 0
				];
			};
		},
		judge: async ({ most }) => [
			`more than ${afterFlood.leastPeak} MB, so that there is memory to give back: ${whole(most.resident)} MB`,
			most.resident > afterFlood.leastPeak
		],
		judgeAfter: async ({ pid }) => {
			const isBack = () => read(pid).resident < afterFlood.megabytes;
			let waited = 0;
			for (; waited < afterFlood.seconds && !isBack(); waited += 1) await sleep(1000);
			const now = `${whole(read(pid).resident)} MB after ${waited} s`;
			return [`less than ${afterFlood.megabytes} MB within ${afterFlood.seconds} s: ${now}`, isBack()];
		}
	}
];

/** @type {import('../run.js').Part} */
export const attackFloods = {
	names: ['attack', 'attack-floods'],
	async run() {
		heading(`Floods for ${seconds} s each, and what they leave`);
		for (const flood of floods) await measure(flood);
	}
};

/** @param {Flood} flood */
async function measure({ title, latency = 100, begin, judge, judgeAfter }) {
	const managementPort = await freePort();
	const server = await startBenched('node', { ADMIN_KEY: key, MANAGEMENT_PORT: String(managementPort) });
	/** @type {Load[]} */
	const loads = [];
	const newLoad = () => {
		const load = startLoad();
		loads.push(load);
		return load;
	};
	try {
		const askHealth = healthCheck();
		await askHealth(server.origin);
		const before = read(server.pid);
		const most = { ...before };
		const sampling = setInterval(() => {
			const now = read(server.pid);
			most.resident = Math.max(most.resident, now.resident);
			most.files = Math.max(most.files, now.files);
		}, 100);
		const check = await begin(server, newLoad, managementPort);
		await sleep(warmUp * 1000);
		const { times, failed } = await use(() => askHealth(server.origin), seconds);
		clearInterval(sampling);
		const p99 = percentile(times, 0.99);
		const figures = [`p50 ${percentile(times, 0.5).toFixed(1)} ms`, `p99 ${p99.toFixed(1)} ms`, `${failed} failed`];
		const levels = `${whole(before.resident)} MB, most ${whole(most.resident)} MB`;
		console.log(`  ${title}: another client ${figures.join(', ')}; ${levels}`);
		const limit = latency === Infinity ? 'nothing failed' : `p99 under ${latency} ms, nothing failed`;
		target(limit, p99 < latency && failed === 0);
		if (check) target(...(await check()));
		target(...(await judge({ before, most }, server)));
		for (const load of loads) load.close();
		if (judgeAfter) target(...(await judgeAfter(server)));
	} finally {
		for (const load of loads) load.close();
		await server.close();
	}
}

/** @param {string} localAddress @param {Benched} server */
function by(localAddress, { port, origin }) {
	const tokens = { cookie: '', accessToken: '', refreshToken: '', first: 0 };
	return { port, localAddress, target: { host: new URL(origin).host, ...tokens } };
}

/** @param {string} origin */
async function newSandbox(origin) {
	/** @type {{ base_url: string, key: string }} */
	const made = JSON.parse(await control('POST', `${origin}/control/sandboxes`, {}, { 'X-Tollgate-Key': key }));
	return { path: made.base_url.slice(origin.length), key: made.key };
}

/**
 * @param {string} url
 * @returns {Promise<number>} bytes of the body that a client gets that accepts gzip
 */
function sizeOf(url) {
	return new Promise((resolve, reject) => {
		const options = { headers: { 'Accept-Encoding': 'gzip' }, rejectUnauthorized: false };
		const sent = request(url, options, (response) => {
			let bytes = 0;
			response.on('data', (/** @type {Buffer} */ chunk) => (bytes += chunk.length)).once('end', () => resolve(bytes));
		});
		sent.once('error', reject).end();
	});
}

/**
 * How many event streams a server has open.
 * @param {number} managementPort
 */
async function openStreams(managementPort) {
	const text = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
	return Number(/^tollgate_open\{kind="streams"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** @returns {Promise<number>} a port that no program listens on now */
function freePort() {
	return new Promise((resolve) => {
		const server = createServer().listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
		});
	});
}

/** The load generator is ended before its job. */
function ignore() {
	return undefined;
}
