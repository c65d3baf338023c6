// A client that behaves, and what its server takes while others attack.
import { readFileSync, readdirSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

/** @returns {(origin: string) => Promise<void>} one request on a connection that stays open; every tenth on a new one */
export function healthCheck() {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	let count = 0;
	return (origin) =>
		new Promise((resolve, reject) => {
			const isNew = (count += 1) % 10 === 0;
			const options = { agent: isNew ? false : agent, rejectUnauthorized: false, timeout: 5000 };
			const sent = request(`${origin}/control/health`, options, (response) => response.resume().once('end', resolve));
			sent.on('error', reject).on('timeout', () => sent.destroy(new Error('no response within 5 s')));
			sent.end();
		});
}

/**
 * Calls `once` again and again.
 * @param {() => Promise<unknown>} once
 * @param {number} seconds how long
 * @returns {Promise<{ times: number[], failed: number }>} how long each call took, in milliseconds
 */
export async function use(once, seconds) {
	/** @type {number[]} */
	const times = [];
	let failed = 0;
	for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(20)) {
		const sent = performance.now();
		await once().catch(() => (failed += 1));
		times.push(performance.now() - sent);
	}
	return { times, failed };
}

/**
 * Memory (MB) and open files of a process, on Linux.
 * @param {number} pid
 */
export function read(pid) {
	try {
		const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
		return { resident, files: readdirSync(`/proc/${pid}/fd`).length };
	} catch {
		return { resident: NaN, files: NaN }; // it has ended
	}
}
