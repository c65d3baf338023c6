// Requests per second beside a bare server and the kit host, one after the other in many short turns.
import { placement, startBenched, startLoad } from '../machine.js';
import { setLimits, signIn } from '../sign-in.js';
import { heading, median, percent, table, target, whole } from '../report.js';

/** @typedef {import('../machine.js').Benched} Benched */
/**
 * `perCoreSecond`: by the processor time that the server used, which another program on its core does not change.
 * @typedef {{ perSecond: number, perCoreSecond: number, p50: number, p99: number, load: number, server: number }} Turn
 */

const scripts = {
	refresh: 'A token refresh',
	character: 'A character read',
	flow: 'A full code flow (authorization request, code exchange, character read; signed in, consent given before)'
};
const turns = 5;
const seconds = 2;
const connections = 24;
const noLimit = { character: 1_000_000, ratelimits: 1_000_000 };

/** @type {import('../run.js').Part} */
export const rates = {
	names: Object.keys(scripts),
	async run(names) {
		const servers = [await startBenched('node'), await startBenched('bare'), await startBenched('kit')];
		servers.push(await startBenched('disk', { STORE: 'disk' }));
		const load = startLoad();
		try {
			for (const [script, title] of Object.entries(scripts)) {
				if (!names.includes(script)) continue;
				heading(`${title}: ${placement}`);
				// Refreshes push old tokens out, so each script has its own.
				const targets = new Map();
				for (const server of servers) targets.set(server, await targetOf(server));
				/** @type {Map<string, Turn[]>} */
				const taken = new Map(servers.map(({ name }) => [name, []]));
				for (let turn = 0; turn <= turns; turn += 1) {
					for (const server of servers) {
						const job = { script, port: server.port, target: targets.get(server), connections, seconds };
						const result = await measure(server, () => load.run(job));
						// The first turn only warms up.
						if (turn > 0) taken.get(server.name)?.push(result);
					}
				}
				report(script, taken);
			}
		} finally {
			load.close();
			await Promise.all(servers.map((server) => server.close()));
		}
	}
};

/**
 * Measures one turn, and what processor time it took of the server.
 * @param {Benched} server
 * @param {() => Promise<import('../load.js').Result>} run
 * @returns {Promise<Turn>}
 */
export async function measure(server, run) {
	const before = await server.probe();
	const began = performance.now();
	const result = await run();
	const wall = (performance.now() - began) / 1000;
	const after = await server.probe();
	if (result.failed > 0)
		throw new Error(`${server.name}: ${result.failed} rounds failed, first: ${result.fault ?? ''}`);
	const { perSecond, p50, p99, busy } = result;
	const processor = after.processor - before.processor;
	return { perSecond, perCoreSecond: result.rounds / processor, p50, p99, load: busy, server: processor / wall };
}

/** Signs in, without limits. The bare server takes any token. @param {Benched} server */
export async function targetOf(server) {
	const host = new URL(server.origin).host;
	const made = { cookie: 'a=b', accessToken: 'a'.repeat(43), refreshToken: 'r'.repeat(43) };
	if (server.name !== 'bare') {
		await setLimits(server.origin, noLimit);
		Object.assign(made, await signIn(server.origin));
	}
	return { host, ...made, first: 0 };
}

/**
 * @param {string} script
 * @param {Map<string, Turn[]>} taken
 */
function report(script, taken) {
	/** @param {string} name @param {keyof Turn} figure */
	const of = (name, figure) => median((taken.get(name) ?? []).map((turn) => turn[figure]));
	/** @param {string} name @param {keyof Turn} figure */
	const share = (name, figure) => of(name, figure) / of('bare', figure);
	table(
		['server', 'per second', 'of bare', 'per core second', 'of bare', 'p50 ms', 'p99 ms', 'server core', 'load core'],
		['bare', 'node', 'disk', 'kit'].map((name) => [
			name,
			whole(of(name, 'perSecond')),
			percent(share(name, 'perSecond')),
			whole(of(name, 'perCoreSecond')),
			percent(share(name, 'perCoreSecond')),
			of(name, 'p50').toFixed(2),
			of(name, 'p99').toFixed(2),
			percent(of(name, 'server')),
			percent(of(name, 'load'))
		])
	);
	const onDisk = of('disk', 'perCoreSecond') / of('node', 'perCoreSecond');
	if (script === 'character')
		target(`STORE=disk reads characters at least 0.9 times as fast as memory: ${percent(onDisk)}`, onDisk >= 0.9);
	const half = share('node', 'perCoreSecond');
	if (script !== 'flow')
		target(`the node host does at least half of what the bare server does: ${percent(half)}`, half >= 0.5);
}
