// The memory of a server with 30 seats and with 300, each in use as in a lesson.
import { Agent } from 'node:https';
import { placement, startBenched, startLoad } from '../machine.js';
import { heading, target, whole } from '../report.js';
import { follow } from '../https-client.js';
import { joinAtOnce, openBoard, openClass, seatTarget, signInAll } from './class.js';

/** What the server may take, in MB, by the number of seats. */
const limits = [
	{ seats: 30, megabytes: 120 },
	{ seats: 300, megabytes: 300 }
];
/** Each seat reads its character once a second for so long, in seconds. */
const seconds = 15;

/** @type {import('../run.js').Part} */
export const seatMemory = {
	names: ['seats'],
	async run() {
		heading(`Memory by the number of seats: ${placement}`);
		for (const limit of limits) await measureSeats(limit);
	}
};

/** @param {{ seats: number, megabytes: number }} limit */
async function measureSeats({ seats, megabytes }) {
	const server = await startBenched('node', { CLASS_SEATS: String(seats) });
	const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: Infinity });
	const load = startLoad();
	try {
		const { origin, port } = server;
		const opened = await openClass(server, seats);
		const all = await joinAtOnce(server, agent, opened, seats);
		const tokens = await signInAll(all);
		const streams = await Promise.all(
			all.map(({ base_url, key }) =>
				follow(`${base_url}/control/traffic/stream`, agent, { headers: { 'X-Tollgate-Key': key } })
			)
		);
		const board = await openBoard(origin, agent, opened);
		const job = { script: 'seat', port, target: seatTarget(origin, all, tokens), connections: all.length, every: 1000 };
		const { rounds, failed } = await load.run({ ...job, seconds });
		const { resident } = await server.probe({ collect: true });
		target(
			`${seats} seats, signed in, with a stream each, a board and ${whole(rounds)} calls (${failed} failed): ${whole(resident)} MB (${megabytes} MB)`,
			failed === 0 && resident <= megabytes
		);
		board.close();
		streams.forEach(({ close }) => close());
	} finally {
		load.close();
		agent.destroy();
		await server.close();
	}
}
