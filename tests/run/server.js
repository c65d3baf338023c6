// Starts servers as processes, on a port that the system chooses.
import { spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} RunningServer
 * @property {string} origin `https://localhost:PORT`
 * @property {import('node:child_process').ChildProcess} child
 * @property {() => string} output what it printed so far
 * @property {() => Promise<void>} close stops it and waits until it has ended
 */

/** The built node host's entry. */
export const builtHost = join(dirname(fileURLToPath(import.meta.url)), 'built-host.js');

/** @returns {{ path: string, remove: () => void }} an empty data folder, for the certificate of a server */
export function dataFolder() {
	const path = mkdtempSync(join(tmpdir(), 'tollgate-data-'));
	return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Runs a script that prints its origin when it listens.
 * @param {string[]} command program and arguments
 * @param {Record<string, string>} settings environment variables, in addition to this process's
 * @returns {Promise<RunningServer>}
 * @throws {Error} with its output, if it ends before it listens
 */
export function startServer(command, settings) {
	const [program = process.execPath, ...words] = command;
	const env = { ...process.env, NODE_OPTIONS: '', ...settings };
	const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
	let output = '';
	/** @type {Promise<void>} */
	const ended = new Promise((resolve) => child.once('exit', () => resolve()));
	const close = async () => {
		child.kill('SIGTERM');
		await ended;
	};
	return new Promise((resolve, reject) => {
		/** @param {Buffer} chunk */
		const read = (chunk) => {
			output += chunk.toString();
			const origin = /https:\/\/[\w.-]+:\d+/.exec(output)?.[0];
			if (origin !== undefined) resolve({ origin, child, output: () => output, close });
		};
		child.stdout?.on('data', read);
		child.stderr?.on('data', read);
		child.once('error', reject);
		void ended.then(() => reject(new Error(`${command.join(' ')} ended before it listened:\n${output}`)));
	});
}

/**
 * The value of Chromium's `--ignore-certificate-errors-spki-list` that trusts one certificate, also for service workers.
 * @param {string} folder the data folder of a server that has started
 * @returns {string}
 */
export function keyFingerprint(folder) {
	const certificate = new X509Certificate(readFileSync(join(folder, 'tls', 'server.pem')));
	const key = certificate.publicKey.export({ type: 'spki', format: 'der' });
	return createHash('sha256').update(key).digest('base64');
}
