// A million addresses that no call came from before: what they cost in memory, and in speed.
import { startBenched, startLoad } from '../machine.js';
import { setLimits, signIn } from '../sign-in.js';
import { heading, percent, table, target, whole } from '../report.js';

const key = 'an-admin-key-for-the-bench';
const million = 1_000_000;
const chunk = 100_000;
const connections = 24;

/** @type {import('../run.js').Part} */
export const addresses = {
	names: ['addresses'],
	async run() {
		heading('A million addresses, one character read each');
		const server = await startBenched('node', { TRUSTED_PROXIES: '1', ADMIN_KEY: key });
		const load = startLoad();
		try {
			await setLimits(server.origin, { character: 1_000_000 }, { 'X-Tollgate-Key': key });
			const tokens = await signIn(server.origin);
			const { port } = server;
			/** @param {number} first */
			const targetFrom = (first) => ({ ...tokens, host: new URL(server.origin).host, first });
			/** @param {string} script @param {number} first @param {number} rounds */
			const run = async (script, first, rounds) => {
				const began = await server.probe();
				const result = await load.run({ script, port, target: targetFrom(first), connections, rounds });
				const ended = await server.probe();
				if (result.failed > 0) throw new Error(`${result.failed} rounds failed, first: ${result.fault ?? ''}`);
				// By the processor time that the server used, which another program on its core does not change.
				return result.rounds / (ended.processor - began.processor);
			};
			await run('neighbors', 0, chunk);
			const before = await server.probe({ collect: true });
			const known = { before: await run('neighbors', 0, chunk), after: 0 };
			/** @type {number[]} */
			const speeds = [];
			let peak = 0;
			for (let first = 1000; first < 1000 + million; first += chunk) {
				speeds.push(await run('addresses', first, chunk));
				peak = Math.max(peak, (await server.probe()).resident);
			}
			known.after = await run('neighbors', 0, chunk);
			const after = await server.probe({ collect: true });
			const [first = 0, last = 0] = [speeds[0], speeds.at(-1)];
			table(
				['', 'before', 'after'],
				[
					['resident memory, MB', whole(before.resident), whole(after.resident)],
					['resident memory at its highest, MB', '', whole(peak)],
					['live objects, MB', whole(before.heap), whole(after.heap)],
					[`calls per core second, new addresses (first and last ${whole(chunk)})`, whole(first), whole(last)],
					['calls per core second, known addresses', whole(known.before), whole(known.after)]
				]
			);
			const growth = peak - before.resident;
			const fall = 1 - last / first;
			target(`memory grows by less than 250 MB: ${whole(growth)} MB at its highest`, growth < 250);
			target(`the rate falls by less than a fifth: ${percent(fall)}`, fall < 0.2);
		} finally {
			load.close();
			await server.close();
		}
	}
};
