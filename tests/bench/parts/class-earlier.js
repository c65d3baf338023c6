// Refreshes of this build beside those of an earlier one: CLASS_BEFORE is a checkout of it, with `npm run build` done.
import { join } from 'node:path';
import { startBenched, startLoad } from '../machine.js';
import { median, percent, target as printTarget } from '../report.js';
import { measure, targetOf } from './throughput.js';

const turns = 15;

/** Measures both in turn, with no board open. */
export async function compareWithEarlier() {
	const earlier = process.env.CLASS_BEFORE;
	if (earlier === undefined) {
		console.log('          refreshes beside an earlier build (98 %): not measured. CLASS_BEFORE names its checkout.');
		return;
	}
	const servers = [
		await startBenched('node', {}, [join(earlier, 'tests/run/built-host.js')]),
		await startBenched('node', { CLASS_SEATS: '250' })
	];
	const load = startLoad();
	try {
		/** @type {number[][]} */
		const rates = [[], []];
		const measured = [];
		for (const server of servers) measured.push({ server, target: await targetOf(server) });
		for (let turn = 0; turn <= turns; turn += 1) {
			for (const [index, { server, target }] of measured.entries()) {
				const job = { script: 'refresh', port: server.port, target, connections: 24, seconds: 2 };
				const { perCoreSecond } = await measure(server, () => load.run(job));
				// The first turn only warms up.
				if (turn > 0) rates[index]?.push(perCoreSecond);
			}
		}
		const [before, now] = rates.map(median);
		const share = (now ?? NaN) / (before ?? NaN);
		printTarget(`refreshes with no board, of those of the earlier build: ${percent(share)} (98 %)`, share >= 0.98);
	} finally {
		load.close();
		await Promise.all(servers.map((server) => server.close()));
	}
}
