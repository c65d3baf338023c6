// What one sandbox feels of another that is full, delays its responses and gets ten times as many calls (RM-05).
import { setTimeout as sleep } from 'node:timers/promises';
import { placement, startBenched, startLoad } from '../machine.js';
import { control, setLimits, signIn } from '../sign-in.js';
import { heading, median, table, target, whole } from '../report.js';

/** @typedef {import('../machine.js').Benched} Benched */
/** @typedef {{ base_url: string, key: string, target: import('../scripts.js').Target }} Sandbox */

/** Rounds a second of each connection are 1000 / `every`. */
const every = 20;
const quiet = { connections: 4, seconds: 3, every };
const turns = 5;
const noLimit = { character: 1_000_000, ratelimits: 1_000_000 };

/** @type {import('../run.js').Part} */
export const neighbor = {
	names: ['neighbor'],
	async run() {
		heading(`A quiet sandbox beside one with ten times its calls, full, and with 30 s delays: ${placement}`);
		const server = await startBenched('node');
		const [near, far, held] = [startLoad(), startLoad(), startLoad()];
		try {
			const { port } = server;
			const [mine, other] = [await makeSandbox(server), await makeSandbox(server)];
			const measure = () => near.run({ script: 'character', port, target: mine.target, ...quiet });
			// Before it is full.
			const fault = { endpoint: 'ratelimits', kind: 'delay', delay_ms: 30_000, times: 1000 };
			await control('POST', `${other.base_url}/control/faults`, fault, { 'X-Tollgate-Key': other.key });
			await fill(other);
			// A sandbox holds 5000 access tokens: this fills it, and does not push out the one that it is called with.
			await far.run({ script: 'flow', port, target: other.target, connections: 24, rounds: 4900 });
			await measure(); // only warms up
			/** @type {import('../load.js').Result[]} */
			const alone = [];
			for (let turn = 0; turn < turns; turn += 1) alone.push(await measure());
			const seconds = turns * quiet.seconds + 2;
			const noise = [
				held.run({ script: 'delayed', port, target: other.target, connections: 100, rounds: 100 }),
				far.run({ script: 'character', port, target: other.target, connections: 40, seconds, every })
			];
			await sleep(1000); // their handshakes are over by then
			/** @type {import('../load.js').Result[]} */
			const beside = [];
			for (let turn = 0; turn < turns; turn += 1) beside.push(await measure());
			const faulty = [...alone, ...beside, ...(await Promise.all(noise))].find(({ failed }) => failed > 0);
			if (faulty !== undefined) throw new Error(`${faulty.failed} rounds failed, first: ${faulty.fault ?? ''}`);
			/** @param {import('../load.js').Result[]} results @param {'perSecond' | 'p50'} figure */
			const of = (results, figure) => median(results.map((result) => result[figure]));
			/** Of the best turn: whatever else runs on the machine only adds to it. @param {import('../load.js').Result[]} results */
			const p99 = (results) => Math.min(...results.map((result) => result.p99));
			table(
				['the quiet one', 'per second', 'p50 ms', 'p99 ms'],
				[
					['alone', whole(of(alone, 'perSecond')), of(alone, 'p50').toFixed(2), p99(alone).toFixed(2)],
					['beside', whole(of(beside, 'perSecond')), of(beside, 'p50').toFixed(2), p99(beside).toFixed(2)]
				]
			);
			const ratio = p99(beside) / p99(alone);
			target(`the p99 stays below twice what it is alone: ${ratio.toFixed(2)} times`, ratio < 2);
		} finally {
			for (const load of [near, far, held]) load.close();
			await server.close();
		}
	}
};

/** @param {Benched} server @returns {Promise<Sandbox>} with a signed-in user */
async function makeSandbox(server) {
	/** @type {{ base_url: string, key: string }} */
	const made = JSON.parse(await control('POST', `${server.origin}/control/sandboxes`, {}));
	await setLimits(made.base_url, noLimit, { 'X-Tollgate-Key': made.key });
	const sandbox = made.base_url.slice(server.origin.length);
	const target = { host: new URL(server.origin).host, ...(await signIn(made.base_url)), sandbox, first: 0 };
	return { ...made, target };
}

/** Registers as many applications as a sandbox takes beside those of the demo world. @param {Sandbox} sandbox */
async function fill({ base_url, key }) {
	for (let count = 0; count < 48; count += 1) {
		const application = { name: `Application ${count}`, kind: 'installed' };
		await control('POST', `${base_url}/control/applications`, application, { 'X-Tollgate-Key': key });
	}
}
