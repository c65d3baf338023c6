// The pages of a class after a restart of the server: each has an event stream, and opens it again each second until it succeeds.
import { setMaxListeners } from 'node:events';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { placement, startBenched } from '../machine.js';
import { heading, percentile, target } from '../report.js';
import { control } from '../sign-in.js';
import { compareWithEarlier } from './class-earlier.js';

const seats = 200;
/** How long a page waits before it opens a stream again, in milliseconds. */
const retry = 1000;

/** @type {import('../run.js').Part} */
export const classRestart = {
	names: ['class'],
	async run() {
		heading(`A class of ${seats} seats when its server restarts, and beside an earlier build: ${placement}`);
		await measureReconnect();
		await compareWithEarlier();
	}
};

async function measureReconnect() {
	const settings = { CLASS_SEATS: String(seats), STORE: 'disk' };
	const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: Infinity });
	let server = await startBenched('disk', settings);
	const { origin, port } = server;
	let key = '';
	let code = '';
	const isOver = new AbortController();
	setMaxListeners(seats, isOver.signal);
	try {
		({ key, code } = JSON.parse(await control('POST', `${origin}/control/classes`, { name: 'Restart', seats })));
		/** @type {{ base_url: string, key: string }[]} */
		const all = [];
		for (let seat = 0; seat < seats; seat += 1) {
			/** @type {{ base_url: string, key: string }} */
			const joined = JSON.parse(await control('POST', `${origin}/control/classes/${code}/seats`, undefined));
			all.push(joined);
		}
		let open = 0;
		/** @type {number[]} */
		let opened = [];
		const pages = all.map(async (seat) => {
			while (!isOver.signal.aborted) {
				await follow(seat, agent, isOver.signal, () => {
					open += 1;
					opened.push(performance.now());
				});
				await sleep(retry);
			}
		});
		while (open < seats) await sleep(50);
		await server.close();
		open = 0;
		opened = [];
		server = await startBenched('disk', { ...settings, PORT: String(port) });
		const listening = performance.now();
		while (open < seats && performance.now() - listening < 30_000) await sleep(50);
		const last = (Math.max(...opened) - listening) / 1000;
		const p95 = (percentile(opened, 0.95) - listening) / 1000;
		target(
			`${open} of ${seats} pages are connected again after a restart, the last after ${last.toFixed(1)} s, p95 ${p95.toFixed(1)} s (10 s)`,
			open >= seats && last <= 10
		);
		isOver.abort();
		await Promise.all(pages);
	} finally {
		isOver.abort();
		if (code !== '')
			await control('DELETE', `${origin}/control/classes/${code}`, undefined, { 'X-Tollgate-Key': key }).catch(
				() => undefined
			);
		agent.destroy();
		await server.close();
	}
}

/**
 * Reads the event stream of a seat until it ends.
 * @param {{ base_url: string, key: string }} seat @param {Agent} agent @param {AbortSignal} signal @param {() => void} onOpen
 * @returns {Promise<void>}
 */
function follow({ base_url, key }, agent, signal, onOpen) {
	return new Promise((resolve) => {
		const headers = { 'X-Tollgate-Key': key };
		const sent = request(`${base_url}/control/traffic/stream`, { agent, headers, signal }, (response) => {
			if (response.statusCode === 200) onOpen();
			response.resume();
			response.on('close', resolve);
			response.on('error', () => resolve());
		});
		sent.on('error', () => resolve()).end();
	});
}
