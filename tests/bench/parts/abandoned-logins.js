// Users who open the sign-in page and leave: the memory they take, and whether it is released.
import { setTimeout as sleep } from 'node:timers/promises';
import { startBenched, startLoad } from '../machine.js';
import { heading, table, target, whole } from '../report.js';

const count = 100_000;
const connections = 24;
/** Longer than a held request lives, in milliseconds. */
const lifetime = 20 * 60_000;
/** The server purges by the real clock, a bounded number of records every ten seconds: how long to watch it, in seconds. */
const patience = 60;
/** What counts as the old level, in MB of live objects above it. */
const tolerance = 5;

/** @type {import('../run.js').Part} */
export const abandoned = {
	names: ['abandoned'],
	async run() {
		heading(`${whole(count)} abandoned sign-ins`);
		const server = await startBenched('node');
		const load = startLoad();
		try {
			const options = { host: new URL(server.origin).host, cookie: '', accessToken: '', refreshToken: '', first: 0 };
			/** @param {number} rounds */
			const abandon = async (rounds) => {
				const result = await load.run({ script: 'abandon', port: server.port, target: options, connections, rounds });
				if (result.failed > 0) throw new Error(`${result.failed} rounds failed, first: ${result.fault ?? ''}`);
				return result.perSecond;
			};
			/** Lets everything expire, and waits until the level is back. @param {number} level MB */
			const settle = async (level) => {
				const began = performance.now();
				await server.probe({ advance: lifetime });
				for (;;) {
					await sleep(2000);
					const reading = await server.probe({ collect: true });
					const waited = (performance.now() - began) / 1000;
					if (reading.heap < level + tolerance || waited > patience) return { ...reading, waited };
				}
			};
			const fresh = await server.probe({ collect: true });
			await abandon(20_000);
			const before = await settle(fresh.heap);
			const speed = await abandon(count);
			const full = await server.probe({ collect: true });
			const after = await settle(before.heap);
			table(
				['MB', 'before', 'while they are held', 'once they have expired'],
				[
					['live objects', whole(before.heap), whole(full.heap), whole(after.heap)],
					['resident', whole(before.resident), whole(full.resident), whole(after.resident)]
				]
			);
			console.log(`  ${whole(speed)} a second; watched for ${whole(after.waited)} s after they expired`);
			const kept = after.heap - before.heap;
			target(
				`memory returns to its level: ${kept.toFixed(1)} MB of ${(full.heap - before.heap).toFixed(1)} MB stay`,
				kept < 5
			);
		} finally {
			load.close();
			await server.close();
		}
	}
};
