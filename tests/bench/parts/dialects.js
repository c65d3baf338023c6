// The rate in the dialect of today's standards beside that of the specification, in two sandboxes of one server.
import { placement, startBenched, startLoad } from '../machine.js';
import { heading, median, percent, table, target, whole } from '../report.js';
import { control, setLimits, signIn } from '../sign-in.js';
import { measure } from './throughput.js';

const turns = 5;
const seconds = 2;
const connections = 8;
const noLimit = { character: 1_000_000, ratelimits: 1_000_000 };

/** Each script with that of the other dialect, and the least share that it reaches there. A refresh also writes a refresh token. */
const pairs = [
	{ title: 'A character read', specification: 'character', standard: 'bearer', least: 0.95 },
	{ title: 'A token refresh', specification: 'refresh', standard: 'rotate', least: 0.85 }
];

/** @type {import('../run.js').Part} */
export const dialects = {
	names: ['dialects'],
	async run() {
		const server = await startBenched('node');
		const load = startLoad();
		try {
			const targets = {
				specification: await targetIn('specification', server.origin),
				standard: await targetIn('standard', server.origin)
			};
			for (const { title, least, ...scripts } of pairs) {
				heading(`${title} in both dialects: ${placement}`);
				/** @type {Record<keyof typeof targets, number[]>} */
				const taken = { specification: [], standard: [] };
				for (let turn = 0; turn <= turns; turn += 1) {
					for (const dialect of /** @type {const} */ (['specification', 'standard'])) {
						const target = targets[dialect];
						if (dialect === 'standard') Object.assign(target, await renewedTokens(target.base_url));
						const job = { script: scripts[dialect], port: server.port, target, connections, seconds };
						const { perCoreSecond } = await measure(server, () => load.run(job));
						// The first turn only warms up.
						if (turn > 0) taken[dialect].push(perCoreSecond);
					}
				}
				const share = median(taken.standard) / median(taken.specification);
				table(
					['dialect', 'per core second'],
					Object.entries(taken).map(([dialect, rates]) => [dialect, whole(median(rates))])
				);
				target(`at least ${percent(least)} of the specification: ${percent(share)}`, share >= least);
			}
		} finally {
			load.close();
			await server.close();
		}
	}
};

/**
 * A sandbox without limits, and the tokens of a user.
 * @param {'specification' | 'standard'} dialect
 * @param {string} origin
 */
async function targetIn(dialect, origin) {
	const made = await control('POST', `${origin}/control/sandboxes`, {});
	/** @type {{ base_url: string, key: string }} */
	const { base_url, key } = JSON.parse(made);
	const headers = { 'X-Tollgate-Key': key };
	await setLimits(base_url, noLimit, headers);
	await control('PATCH', `${base_url}/control/settings`, { dialect }, headers);
	const { host, pathname } = new URL(base_url);
	/** @type {string[]} */
	const tokens = [];
	return { host, sandbox: pathname, base_url, ...(await signIn(base_url)), tokens, first: 0 };
}

/**
 * A refresh token for each connection, because each works once, and the latest access token: the service ends old ones.
 * @param {string} base_url of a sandbox in the dialect of today's standards
 */
async function renewedTokens(base_url) {
	const tokens = [];
	let accessToken = '';
	for (let count = 0; count < connections; count += 1) {
		const made = await signIn(base_url);
		tokens.push(made.refreshToken);
		({ accessToken } = made);
	}
	return { tokens, accessToken };
}
