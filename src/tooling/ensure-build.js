// Plain JavaScript without packages: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Why a start ends before it began: a sentence for the person who started it. */
export class BuildError extends Error {}

/**
 * @typedef {object} Build
 * @property {string} stamp where the digest of its sources is noted
 * @property {readonly string[]} sources what it is made of
 * @property {readonly { name: string, parameters: readonly string[] }[]} steps what `vite build` is called with
 * @property {Readonly<Record<string, string>>} [environment] variables that decide what is built
 */

const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];

/**
 * The pages and the server.
 * @type {Build}
 */
const whole = {
	stamp: 'build/.sources',
	sources: ['src', 'static', 'svelte.config.js', ...settings],
	steps: [
		{ name: 'pages', parameters: [] },
		{ name: 'server', parameters: ['--mode', 'host'] }
	]
};

/**
 * The companion of the command line: small, and made apart, since it also serves where no server runs.
 * @type {Build}
 */
export const companion = {
	stamp: 'build/companion/.sources',
	sources: ['src/client', 'src/wire', ...settings],
	steps: [{ name: 'companion', parameters: ['--mode', 'companion'] }]
};

/**
 * The files of the build without a server.
 * @param {string} base the path below which they are to stand: empty, or `/demo`
 * @param {string} [out] their folder
 * @returns {Build}
 */
export function staticFiles(base, out = 'build/static') {
	return {
		stamp: `${out}.sources`,
		sources: ['src', 'static', 'svelte.config.js', ...settings],
		steps: [{ name: 'static files', parameters: [] }],
		environment: { TOLLGATE_TARGET: 'static', TOLLGATE_BASE: base, TOLLGATE_OUT: out }
	};
}

/**
 * Makes sure that the packages are installed as `package-lock.json` says.
 * @param {string} root the project's folder
 * @param {(line: string) => void} say gets a line of progress before anything slow
 * @throws {BuildError} where npm fails
 */
export async function ensureInstalled(root, say) {
	if (isInstalled(root)) return;
	say('Installing packages (npm ci), about a minute …');
	await run(
		root,
		process.platform === 'win32' ? 'npm.cmd' : 'npm',
		['ci', '--no-audit', '--no-fund'],
		'npm ci failed.'
	);
}

/**
 * Makes sure that the build is made from the sources as they stand. Of several processes that ask at once, one builds.
 * @param {string} root the project's folder
 * @param {(line: string) => void} say gets a line of progress before anything slow
 * @param {Build} [what] pages and server where none is given
 * @throws {BuildError} where the build fails
 */
export async function ensureBuilt(root, say, what = whole) {
	if (isBuilt(root, what)) return;
	const release = await lock(root);
	try {
		if (!isBuilt(root, what)) await take(root, say, what);
	} finally {
		release();
	}
}

/**
 * Builds, also where the sources have not changed.
 * @param {string} root the project's folder
 * @param {(line: string) => void} say gets a line of progress before anything slow
 * @param {Build} [what] pages and server where none is given
 * @throws {BuildError} where the build fails
 */
export async function build(root, say, what = whole) {
	const release = await lock(root);
	try {
		await take(root, say, what);
	} finally {
		release();
	}
}

/**
 * Takes the steps of a build, and notes from which sources.
 * @param {string} root
 * @param {(line: string) => void} say
 * @param {Build} what
 */
async function take(root, say, what) {
	const digest = digestOf(root, what);
	rmSync(join(root, what.stamp), { force: true });
	const vite = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'];
	for (const { name, parameters } of what.steps) {
		say(`Building the ${name} (${['vite build', ...parameters].join(' ')}) …`);
		await run(root, process.execPath, [...vite, ...parameters], `The build of the ${name} failed.`, what.environment);
	}
	writeFileSync(join(root, what.stamp), digest);
}

/**
 * @param {string} root
 * @param {Build} what
 */
function isBuilt(root, what) {
	const path = join(root, what.stamp);
	return existsSync(path) && readFileSync(path, 'utf8') === digestOf(root, what);
}

/**
 * Waits until no other process builds.
 * @param {string} root
 * @returns {Promise<() => void>} lets the next one
 */
async function lock(root) {
	const path = join(root, 'build/.lock');
	mkdirSync(join(root, 'build'), { recursive: true });
	for (;;) {
		try {
			writeFileSync(path, String(process.pid), { flag: 'wx' });
			return () => rmSync(path, { force: true });
		} catch {
			if (!isRunning(path)) rmSync(path, { force: true });
			else await new Promise((resolve) => setTimeout(resolve, 200));
		}
	}
}

/**
 * Whether the process that a lock names still runs.
 * @param {string} path
 */
function isRunning(path) {
	try {
		const owner = Number(readFileSync(path, 'utf8'));
		// Just made, and not yet written; or our own.
		return owner === 0 || process.kill(owner, 0);
	} catch {
		return false;
	}
}

/**
 * Whether every package of the lock file stands in node_modules, in its version: npm notes there what it installed.
 * @param {string} root
 */
function isInstalled(root) {
	try {
		const there = packagesOf(join(root, 'node_modules/.package-lock.json'));
		return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
			([path, { version, optional, extraneous }]) =>
				path === '' || optional === true || extraneous === true || there[path]?.version === version
		);
	} catch {
		return false;
	}
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version: string, optional?: boolean, extraneous?: boolean }>}
 */
function packagesOf(lockFile) {
	/** @type {{ packages: Record<string, { version: string, optional?: boolean, extraneous?: boolean }> }} */
	const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
	return packages;
}

/**
 * One digest over names and contents of all sources, and what else decides a build.
 * @param {string} root
 * @param {Build} what
 */
function digestOf(root, what) {
	const hash = createHash('sha256')
		.update(process.env.TOLLGATE_BASE ?? '')
		.update(JSON.stringify(what.environment ?? {}));
	for (const source of what.sources) {
		for (const file of filesOf(root, source)) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
	}
	return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} path of a file or folder
 * @returns {string[]} paths of files, sorted
 */
function filesOf(root, path) {
	if (!existsSync(join(root, path))) return [];
	if (path.includes('.') && !path.includes('/')) return [path];
	return readdirSync(join(root, path), { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(root, join(entry.parentPath, entry.name)))
		.sort();
}

/**
 * Runs a program; shows what it printed only where it fails.
 * @param {string} root
 * @param {string} program
 * @param {string[]} parameters
 * @param {string} sentence
 * @param {Readonly<Record<string, string>>} [environment] beside this process's
 * @returns {Promise<void>}
 */
function run(root, program, parameters, sentence, environment = {}) {
	return new Promise((resolve, reject) => {
		// A build is for production, whatever the environment of this start says.
		const env = { ...process.env, NODE_ENV: undefined, TOLLGATE_TARGET: undefined, ...environment };
		const child = spawn(program, parameters, { cwd: root, env, shell: process.platform === 'win32' });
		let printed = '';
		for (const output of [child.stdout, child.stderr]) {
			output.setEncoding('utf8').on('data', (/** @type {string} */ text) => (printed += text));
		}
		child.once('error', (error) => reject(new BuildError(`${sentence} (${error.message})`)));
		child.once('close', (code) => {
			if (code === 0) resolve();
			else reject(new BuildError(`${printed.trimEnd()}\n\n${sentence}`));
		});
	});
}
