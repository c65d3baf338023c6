// What an open board takes of the server: refreshes of a seat, with a board and without, in classes whose logs are full.
import { Agent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { follow } from '../https-client.js';
import { placement, startBenched, startLoad } from '../machine.js';
import { heading, median, percent, target, whole } from '../report.js';
import { control, signIn } from '../sign-in.js';
import { joinAtOnce, openBoard, openClass, preset, seatTarget, signInAll } from './class.js';
import { measure } from './throughput.js';

/** @typedef {{ server: import('../machine.js').Benched, opened: { code: string, key: string }, target: import('../scripts.js').Target }} Filled */

const seats = 200;
/** How often the board opens on one of the two servers, in turn, and how many turns both get each time. */
const openings = 4;
const turns = 10;
/** After a board was opened, in milliseconds. Reading all logs leaves garbage. Its collection belongs to the opening. */
const settling = 1500;

/** @type {import('../run.js').Part} */
export const classBoard = {
	names: ['class'],
	async run() {
		heading(`A class of ${seats} seats with a board, beside one without: ${placement}`);
		const load = startLoad();
		const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: Infinity });
		/** @type {Filled[]} */
		const filled = [];
		try {
			for (let count = 0; count < 2; count += 1) filled.push(await fill(agent, load));
			await compare(agent, load, filled);
		} finally {
			load.close();
			agent.destroy();
			await Promise.all(filled.map(({ server }) => server.close()));
		}
	}
};

/** Starts a server with a class whose logs are full, and signs a user in at its first seat. @param {Agent} agent @param {ReturnType<typeof startLoad>} load @returns {Promise<Filled>} */
async function fill(agent, load) {
	const server = await startBenched('node', { CLASS_SEATS: String(seats) });
	const { origin, port } = server;
	const opened = await openClass(server, seats);
	const all = await joinAtOnce(server, agent, opened);
	const calls = seatTarget(origin, all, await signInAll(all));
	// 200 exchanges of each seat, as many as a log keeps.
	await load.run({ script: 'seat', port, target: calls, connections: seats, rounds: 200 * seats });
	const [seat] = all;
	if (seat === undefined) throw new Error('no seat was joined');
	for (const { base_url, key } of all)
		for (let stream = 0; stream < 2; stream += 1)
			await follow(`${base_url}/control/traffic/stream`, agent, { headers: { 'X-Tollgate-Key': key } });
	await control('POST', `${seat.base_url}/control/reset`, { preset }, { 'X-Tollgate-Key': seat.key });
	const tokens = await signIn(seat.base_url);
	const sandbox = new URL(seat.base_url).pathname;
	return { server, opened, target: { host: new URL(origin).host, ...tokens, sandbox, first: 0 } };
}

/**
 * Measures both in short turns, since the speed of a machine changes within seconds. Each has the board as often as the other.
 * @param {Agent} agent @param {ReturnType<typeof startLoad>} load @param {Filled[]} filled
 */
async function compare(agent, load, filled) {
	/** @type {number[]} */
	const shares = [];
	/** @type {number[]} */
	const times = [];
	for (let opening = 0; opening < openings; opening += 1) {
		const [watched, other] = opening % 2 === 0 ? filled : filled.toReversed();
		if (watched === undefined || other === undefined) return;
		const began = performance.now();
		const board = await openBoard(watched.server.origin, agent, watched.opened);
		times.push(performance.now() - began);
		await sleep(settling);
		for (let turn = 0; turn <= turns; turn += 1) {
			const beside = await refreshes(load, watched);
			const without = await refreshes(load, other);
			// The first turn only warms up.
			if (turn > 0) shares.push(beside / without);
		}
		board.close();
	}
	const share = median(shares);
	target(`refreshes of a seat with one board, of those without: ${percent(share)} (95 %)`, share >= 0.95);
	console.log(`          a board opens in ${whole(median(times))} ms, for which the server reads all logs`);
}

/** How many refreshes the server makes in a second of its processor. @param {ReturnType<typeof startLoad>} load @param {Filled} filled */
async function refreshes(load, { server, target: seat }) {
	const job = { script: 'refresh', port: server.port, target: seat, connections: 24, seconds: 1.5 };
	const { perCoreSecond } = await measure(server, () => load.run(job));
	return perCoreSecond;
}
