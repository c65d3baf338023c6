// Which process runs where, and what it takes.
import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { memoryFlags, memorySettings } from '#tooling/node-process.js';
import { builtHost, dataFolder, keyFingerprint, startServer } from '../run/server.js';

/** @typedef {import('./process-stats.js').Reading} Reading */

/**
 * @typedef {object} Benched
 * @property {string} name
 * @property {string} origin
 * @property {number} port
 * @property {number} pid
 * @property {(wish?: { advance?: number, collect?: boolean }) => Promise<Reading>} probe moves its clock (milliseconds), collects its garbage
 * @property {() => Promise<void>} close
 */

const here = dirname(fileURLToPath(import.meta.url));
const canPin =
	availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0;

/** What is printed about it. */
export const placement = canPin
	? 'servers on core 0, load generator on core 1'
	: 'no taskset or one core: servers and load generator share, so read the ratios with care';

const data = dataFolder();
process.once('exit', data.remove);
const certificate = [join(data.path, 'tls', 'server.pem'), join(data.path, 'tls', 'server-key.pem')];

/** The servers that are compared. The node host comes first: it makes the certificate that all of them show. */
const scripts = {
	node: [builtHost],
	disk: [builtHost],
	bare: [join(here, 'bare-server.js'), ...certificate],
	kit: [join(here, 'kit-host.js'), ...certificate]
};

/**
 * Starts a server under the probe, on its core.
 * @param {keyof typeof scripts} name
 * @param {Record<string, string>} [settings]
 * @param {string[]} [script] in place of that of the name: the host of another build
 * @returns {Promise<Benched>}
 */
export async function startBenched(name, settings = {}, script = scripts[name]) {
	const probe = pathToFileURL(join(here, 'process-stats.js')).href;
	// With the settings for memory that `npm start` gives its server, for all of them.
	const flags = ['--expose-gc', ...memoryFlags, '--import', probe];
	const command = pinned(0, process.execPath, ...flags, ...script);
	const { origin, child, close } = await startServer(command, {
		PORT: '0',
		DATA_DIR: data.path,
		...memorySettings,
		...settings
	});
	return {
		name,
		origin,
		port: Number(new URL(origin).port),
		pid: child.pid ?? 0,
		probe: (wish = {}) => ask(child, wish),
		close
	};
}

/** The argument with which Chromium trusts the certificate that all of them show, once the node host has started. */
export function trust() {
	return `--ignore-certificate-errors-spki-list=${keyFingerprint(data.path)}`;
}

/** Starts the load generator. */
export function startLoad() {
	const [program = '', ...words] = pinned(1, process.execPath, join(here, 'load.js'));
	const child = spawn(program, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
	return {
		/** @type {(job: import('./load.js').Job) => Promise<import('./load.js').Result>} */
		run: (job) => ask(child, job),
		/** Sends the same bytes over many connections until `close`. @type {(job: import('./flood.js').Flood) => void} */
		flood: (job) => void child.send(job),
		close: () => void child.kill()
	};
}

/**
 * A command that stays on one core, where that can be had.
 * @param {number} core
 * @param {string[]} words
 */
function pinned(core, ...words) {
	return canPin ? ['taskset', '-c', String(core), ...words] : words;
}

/**
 * Sends a message to a process, and waits for its one response.
 * @template Response
 * @param {import('node:child_process').ChildProcess} child
 * @param {object} message
 * @returns {Promise<Response>}
 */
function ask(child, message) {
	return new Promise((resolve, reject) => {
		const ended = () => reject(new Error(`${child.spawnargs.at(-1) ?? ''} ended`));
		child.once('exit', ended);
		child.once('message', (/** @type {Response} */ response) => {
			child.off('exit', ended);
			resolve(response);
		});
		child.send(message);
	});
}
