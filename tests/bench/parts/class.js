// A class of 200 seats behind one address, with real connections and event streams: joins, sign-ins, calls, the board, memory.
import { Agent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { placement, startBenched, startLoad } from '../machine.js';
import { follow, post } from '../https-client.js';
import { heading, percentile, table, target, whole } from '../report.js';
import { control, signIn } from '../sign-in.js';

/** @typedef {import('../machine.js').Benched} Benched */
/** @typedef {{ code: string, key: string }} OpenedClass */
/** @typedef {{ base_url: string, key: string }} Seat */
/** @typedef {{ last: { request: string, at: number } | null }} Row of the board */

const seats = 200;
const unused = 50;
/** How long the calls last, in seconds. `CLASS_SECONDS=600` is the whole ten minutes. */
const seconds = Number(process.env.CLASS_SECONDS ?? 30);
/** Each seat sends five calls a second. */
const every = 200;
const limits = { character: 1_000_000, ratelimits: 1_000_000 };
export const preset = { format: 'tollgate-preset', version: 1, settings: { limits } };

/** @type {import('../run.js').Part} */
export const classroom = {
	names: ['class'],
	async run() {
		heading(`A class of ${seats} seats behind one address: ${placement}`);
		const server = await startBenched('node', { CLASS_SEATS: String(seats + unused) });
		const [load, other] = [startLoad(), startLoad()];
		const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: Infinity });
		try {
			const opened = await openClass(server, seats);
			const all = await joinAtOnce(server, agent, opened);
			const tokens = await signInAll(all);
			const board = await measureCalls(server, agent, load, opened, all, tokens);
			await measureNeighbor(server, [load, other], all, tokens);
			await measureMemory(server, agent);
			board();
		} finally {
			load.close();
			other.close();
			agent.destroy();
			await server.close();
		}
	}
};

/** @param {Benched} server @param {number} size @returns {Promise<OpenedClass>} */
export async function openClass({ origin }, size) {
	return JSON.parse(await control('POST', `${origin}/control/classes`, { name: 'Workshop', seats: size, preset }));
}

/** @param {Benched} server @param {Agent} agent @param {OpenedClass} opened @param {number} [count] @returns {Promise<Seat[]>} */
export async function joinAtOnce({ origin }, agent, { code }, count = seats) {
	/** @type {number[]} */
	const times = [];
	const responses = await Promise.all(
		Array.from({ length: count }, async () => {
			const began = performance.now();
			const response = await post(`${origin}/control/classes/${code}/seats`, agent);
			times.push(performance.now() - began);
			return response;
		})
	);
	const joined = responses.filter(({ status }) => status === 201);
	const p99 = percentile(times, 0.99);
	target(
		`${count} joins at once, with the TLS handshakes: ${joined.length} with 201, p99 ${whole(p99)} ms (2 s)`,
		joined.length === count && p99 <= 2000
	);
	return joined.map(({ body }) => JSON.parse(body));
}

/** Signs in with a password at each seat within 10 seconds. @param {Seat[]} all */
export async function signInAll(all) {
	/** @type {number[]} */
	const times = [];
	const failures = [];
	const tokens = await Promise.all(
		all.map(async ({ base_url }, at) => {
			await sleep((at * 10_000) / all.length);
			const began = performance.now();
			try {
				const { accessToken } = await signIn(base_url);
				times.push(performance.now() - began);
				return accessToken;
			} catch (fault) {
				failures.push(fault);
				return '';
			}
		})
	);
	const p99 = percentile(times, 0.99);
	target(
		`${all.length} sign-ins within 10 s, five requests each: ${failures.length} failed, p99 ${whole(p99)} ms (6 s)`,
		failures.length === 0 && p99 <= 6000
	);
	return tokens;
}

/**
 * All seats call, with two streams each, while a board reads.
 * @param {Benched} server @param {Agent} agent @param {ReturnType<typeof startLoad>} load
 * @param {OpenedClass} opened @param {Seat[]} all @param {string[]} tokens
 * @returns {Promise<() => void>} closes the streams
 */
async function measureCalls(server, agent, load, opened, all, tokens) {
	const { origin, port } = server;
	const streams = await Promise.all(
		all.flatMap(({ base_url, key }) =>
			[1, 2].map(() => follow(`${base_url}/control/traffic/stream`, agent, { headers: { 'X-Tollgate-Key': key } }))
		)
	);
	/** @type {number[]} */
	const delays = [];
	const seen = new Set();
	const board = await openBoard(origin, agent, opened, (rows) => {
		for (const { last } of rows) {
			if (last === null || seen.has(last.request)) continue;
			seen.add(last.request);
			delays.push(Date.now() - last.at);
		}
	});
	// The first rows have exchanges of earlier.
	delays.length = 0;
	const job = { script: 'seat', port, target: seatTarget(origin, all, tokens), connections: all.length, every };
	const before = await server.probe();
	const result = await load.run({ ...job, seconds });
	const processor = (await server.probe()).processor - before.processor;
	const perCoreSecond = result.rounds / processor;
	const rejected = streams.filter(({ status }) => status !== 200).length;
	table(
		['calls', 'per second', 'per core second', 'p50 ms', 'p99 ms', 'failed'],
		[
			[
				whole(result.rounds),
				whole(result.perSecond),
				whole(perCoreSecond),
				result.p50.toFixed(1),
				result.p99.toFixed(1),
				whole(result.failed)
			]
		]
	);
	target(
		`${seconds} s: no call and none of ${streams.length} streams was rejected: ${result.fault ?? 'none'}`,
		result.failed + rejected === 0
	);
	target(`1,000 calls a second on one core: ${whole(perCoreSecond)} with one board`, perCoreSecond >= 1000);
	target(`p99 of the calls: ${result.p99.toFixed(1)} ms (50 ms)`, result.p99 <= 50);
	const [p95, most] = [percentile(delays, 0.95), percentile(delays, 1)];
	target(
		`from an exchange to its row: p95 ${whole(p95)} ms (500 ms), at most ${whole(most)} ms (1 s)`,
		p95 <= 500 && most <= 1000
	);
	const { resident } = await server.probe({ collect: true });
	target(`memory with ${all.length} used seats: ${whole(resident)} MB (600 MB)`, resident <= 600);
	board.close();
	return () => streams.forEach(({ close }) => close());
}

/** The p99 of quiet seats beside one that sends 200 calls a second. @param {Benched} server @param {ReturnType<typeof startLoad>[]} loads @param {Seat[]} all @param {string[]} tokens */
async function measureNeighbor({ origin, port }, [load, other], all, tokens) {
	if (load === undefined || other === undefined) return;
	const [quiet, loud] = [
		seatTarget(origin, all.slice(2, 22), tokens.slice(2, 22)),
		seatTarget(origin, all.slice(1, 2), tokens.slice(1, 2))
	];
	const run = () => load.run({ script: 'seat', port, target: quiet, connections: 20, seconds: 3, every: 50 });
	await run();
	const alone = [await run(), await run(), await run()];
	const noise = other.run({ script: 'seat', port, target: loud, connections: 10, seconds: 11, every: 50 });
	await sleep(1000);
	const beside = [await run(), await run(), await run()];
	await noise;
	const best = (/** @type {import('../load.js').Result[]} */ results) => Math.min(...results.map(({ p99 }) => p99));
	const ratio = best(beside) / best(alone);
	target(`p99 of others beside a seat with 200 calls a second: ${ratio.toFixed(2)} times (2 times)`, ratio < 2);
}

/** The heap of seats that nothing uses. @param {Benched} server @param {Agent} agent */
async function measureMemory(server, agent) {
	const before = await server.probe({ collect: true });
	await joinAtOnce(server, agent, await openClass(server, unused), unused);
	const after = await server.probe({ collect: true });
	const kilobytes = ((after.heap - before.heap) * 1024) / unused;
	target(`memory of an unused seat: ${whole(kilobytes)} kB (50 kB)`, kilobytes <= 50);
}

/** @param {string} origin @param {Seat[]} all @param {string[]} tokens */
export function seatTarget(origin, all, tokens) {
	const sandboxes = all.map(({ base_url }) => new URL(base_url).pathname);
	return { host: new URL(origin).host, refreshToken: '', accessToken: '', cookie: '', first: 0, sandboxes, tokens };
}

/**
 * Opens a board. Resolves once it has its first rows, for which the server reads all logs.
 * @param {string} origin @param {Agent} agent @param {OpenedClass} opened
 * @param {(rows: Row[]) => void} [onRows]
 */
export async function openBoard(origin, agent, { code, key }, onRows = () => undefined) {
	let isFilled = () => {};
	/** @type {Promise<void>} */
	const filled = new Promise((resolve) => (isFilled = resolve));
	const board = await follow(`${origin}/control/classes/${code}/stream`, agent, {
		headers: { 'X-Tollgate-Key': key },
		onEvent: (name, data) => {
			if (name !== 'rows') return;
			/** @type {{ rows: Row[] }} */
			const { rows } = JSON.parse(data);
			onRows(rows);
			isFilled();
		}
	});
	await filled;
	return board;
}
