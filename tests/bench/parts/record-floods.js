// Floods of records in a sandbox whose id all clients know, and whether another client loses anything.
import { startBenched, startLoad } from '../machine.js';
import { heading, table, target, whole } from '../report.js';
import { call, control, openSignIn, postPassword, signIn } from '../sign-in.js';

const key = 'an-admin-key-for-the-bench';
const attacker = '127.0.0.2';
/** Tickets come from so many addresses: each can have five open ones. */
const ticketAddresses = 25;

/** @typedef {{ origin: string, sandbox: string, base_url: string }} Place */

/**
 * @typedef {object} Flood
 * @property {string} title
 * @property {string} script
 * @property {number} rounds more than the kind holds records
 * @property {(place: Place) => Promise<Partial<import('../scripts.js').Target>>} [prepare] what the script needs
 * @property {(place: Place) => Promise<() => Promise<boolean>>} honest begins something, and returns whether it still works
 * @property {number} [addresses] how many addresses send the flood, one after the other. Default: 1
 * @property {boolean} [isRoot] in the root sandbox
 */

/** @type {(place: Place) => Promise<() => Promise<boolean>>} */
const keepsAccessToken = async ({ base_url }) => {
	const { accessToken } = await signIn(base_url);
	const headers = { Authorization: `OAuth ${accessToken}` };
	return () => worked(control('GET', `${base_url}/ws/v2.0/ratelimits`, undefined, headers));
};
/** @type {(place: Place) => Promise<() => Promise<boolean>>} */
const keepsSignIn = async ({ base_url }) => {
	const page = await openSignIn(base_url);
	return () => worked(postPassword(base_url, page));
};
/** @type {(place: Place) => Promise<{ refreshToken: string }>} */
const ownTokens = ({ base_url }) => signIn(base_url, 'player-three');

/** @type {Flood[]} */
const floods = [
	{
		title: 'refreshes, against an access token',
		script: 'refresh',
		rounds: 15_000,
		prepare: ownTokens,
		honest: keepsAccessToken
	},
	{
		title: 'the same in the root sandbox',
		script: 'refresh',
		rounds: 15_000,
		isRoot: true,
		prepare: ownTokens,
		honest: keepsAccessToken
	},
	{ title: 'started sign-ins', script: 'abandon', rounds: 8000, honest: keepsSignIn },
	{
		title: 'started sign-ins, 4,000 characters',
		script: 'abandon',
		rounds: 2000,
		honest: keepsSignIn,
		prepare: async () => ({ body: 'x'.repeat(4000) })
	},
	{
		title: 'sessions',
		script: 'signIn',
		rounds: 600,
		honest: async ({ base_url }) => {
			const { cookie } = await signIn(base_url);
			return async () => (await call(`${base_url}/account`, undefined, cookie)).body.includes('Signed in as');
		}
	},
	{
		title: 'tickets',
		script: 'ticket',
		rounds: 5,
		addresses: ticketAddresses,
		honest: async ({ base_url }) => {
			return () => worked(control('POST', `${base_url}/control/tickets`, { reason: 'a', resolution: 'b' }));
		}
	}
];

/** @type {import('../run.js').Part} */
export const recordFloods = {
	names: ['attack'],
	async run() {
		heading('Floods of records in a shared sandbox by one address, and what another client loses');
		/** @type {string[][]} */
		const rows = [];
		/** @type {[string, boolean][]} */
		const targets = [];
		for (const flood of floods) {
			const { accepted, rejected, seconds, isKept } = await measure(flood);
			rows.push([flood.title, whole(accepted), whole(rejected), seconds.toFixed(1), isKept ? 'works' : 'lost']);
			targets.push([`${flood.title}: the other client loses nothing`, isKept]);
		}
		table(['flood', 'accepted', 'rejected', 'seconds', 'other client'], rows);
		for (const [text, isMet] of targets) target(text, isMet);
	}
};

/** @param {Flood} flood */
async function measure({ script, rounds, prepare, honest, addresses = 1, isRoot = false }) {
	const server = await startBenched('node', { ADMIN_KEY: key });
	const load = startLoad();
	try {
		const { origin, port } = server;
		/** @type {{ base_url: string }} */
		const made = isRoot ? { base_url: origin } : JSON.parse(await control('POST', `${origin}/control/sandboxes`, {}));
		const place = { origin, base_url: made.base_url, sandbox: made.base_url.slice(origin.length) };
		const still = await honest(place);
		const own = await prepare?.(place);
		const host = new URL(origin).host;
		const tokens = { cookie: '', accessToken: '', refreshToken: '', first: 0 };
		const job = { script, port, rounds, connections: 1, target: { host, ...tokens, ...place, ...own } };
		let [accepted, rejected] = [0, 0];
		const began = performance.now();
		for (let number = 0; number < addresses; number += 1) {
			const from =
				addresses === 1 ? { localAddress: attacker, connections: 32 } : { localAddress: `127.0.1.${number + 1}` };
			const result = await load.run({ ...job, ...from });
			accepted += result.rounds;
			rejected += result.failed;
		}
		return { accepted, rejected, seconds: (performance.now() - began) / 1000, isKept: await still() };
	} finally {
		load.close();
		await server.close();
	}
}

/** @param {Promise<unknown>} request */
function worked(request) {
	return request.then(
		() => true,
		() => false
	);
}
