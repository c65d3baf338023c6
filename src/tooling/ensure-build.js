// Plain JavaScript without packages: it runs before anything is installed.
import { spawn } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync
} from 'node:fs';
import { join } from 'node:path';
import { writeStatic } from './write-static.js';

/** An installation or a build failed. The message is for the user who started it. */
export class BuildError extends Error {}

/**
 * @typedef {object} Build
 * @property {string} name
 * @property {readonly { title: string, args: readonly string[] }[]} steps arguments of `vite build`. They run at the same time
 * @property {Readonly<Record<string, string>>} env variables that decide what is built
 */

/** @typedef {{ version: string, dev?: boolean, devOptional?: boolean, optional?: boolean, extraneous?: boolean }} LockedPackage */

/** The sources of every build. */
const sources = [
	'src',
	'static',
	'svelte.config.js',
	'vite.config.ts',
	'tsconfig.json',
	'package.json',
	'package-lock.json'
];

/** @type {Build} The pages and the server. */
export const application = {
	name: 'application',
	steps: [
		{ title: 'pages', args: [] },
		{ title: 'server', args: ['--mode', 'host'] }
	],
	env: {}
};

/** @type {Build} The command-line client. */
export const cli = { name: 'cli', steps: [{ title: 'command-line client', args: ['--mode', 'cli'] }], env: {} };

/** @type {Build} The npm package. */
export const library = { name: 'library', steps: [{ title: 'npm package', args: ['--mode', 'library'] }], env: {} };

/** @type {Build} The files of the build without a server, for `writeStatic`. */
export const staticTemplate = {
	name: 'static-template',
	steps: [{ title: 'static files', args: [] }],
	env: { TOLLGATE_TARGET: 'static' }
};

/**
 * Builds the files of the build without a server unless they are newer than every source, and copies them for a base path.
 * @param {string} root the project's folder
 * @param {(line: string) => void} log gets a line before anything slow
 * @param {string} base as `basePath` returns it
 * @param {string} folder where they are written, relative to the project
 * @throws {BuildError} where the build fails
 */
export async function ensureStatic(root, log, base, folder) {
	await ensureBuilt(root, log, staticTemplate);
	if (!isCurrent(root, copyOf(base, folder))) await copyStatic(root, base, folder);
}

/**
 * Copies the files that `staticTemplate` has built, for a base path.
 * @param {string} root the project's folder
 * @param {string} base as `basePath` returns it
 * @param {string} folder where they are written, relative to the project
 * @param {import('../hosts/world-file.server.ts').PackedWorld} [world] as for `writeStatic`
 * @param {string} [origin] as for `writeStatic`
 * @param {string} [lessons] as for `writeStatic`
 */
export async function copyStatic(root, base, folder, world, origin, lessons) {
	rmSync(join(root, folder), { recursive: true, force: true });
	cpSync(join(root, 'build/static-template'), join(root, folder), { recursive: true });
	writeStatic(join(root, folder), base, world, origin, lessons);
	await build(root, () => undefined, copyOf(base, folder));
}

/**
 * @param {string} base
 * @param {string} folder
 * @returns {Build}
 */
function copyOf(base, folder) {
	return { name: folder.replaceAll('/', '-'), steps: [], env: { base } };
}

/**
 * Installs the packages in `package-lock.json` unless they are installed.
 * @param {string} root the project's folder
 * @param {(line: string) => void} log gets a line before anything slow
 * @param {boolean} [withTools] also those that only tests and checks of the code need, half of them
 * @throws {BuildError} where npm fails
 */
export async function ensureInstalled(root, log, withTools = false) {
	if (isInstalled(root, withTools)) return;
	const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
	// The lock file has a hash of each package, so a copy in npm's cache need not be asked for again.
	const options = ['--prefer-offline', '--no-audit', '--no-fund', ...(withTools ? ['--include=dev'] : ['--omit=dev'])];
	await timed(log, 'Installing packages (npm ci)', run(root, npm, ['ci', ...options], 'npm ci failed.'));
}

/**
 * Builds unless the build is newer than every source.
 * @param {string} root the project's folder
 * @param {(line: string) => void} log gets a line before anything slow
 * @param {Build} what
 * @throws {BuildError} where the build fails
 */
export async function ensureBuilt(root, log, what) {
	if (!isCurrent(root, what)) await build(root, log, what);
}

/**
 * Builds, also where nothing has changed.
 * @param {string} root the project's folder
 * @param {(line: string) => void} log gets a line before anything slow
 * @param {Build} what
 * @throws {BuildError} where the build fails
 */
export async function build(root, log, what) {
	const record = recordOf(root, what);
	const startedAt = new Date();
	rmSync(record, { force: true });
	const vite = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'];
	const runSteps = async () => {
		await ensureSynced(root);
		await Promise.all(
			what.steps.map(({ title, args }) =>
				run(root, process.execPath, [...vite, ...args], `The build of the ${title} failed.`, what.env)
			)
		);
	};
	if (what.steps.length > 0)
		await timed(log, `Building the ${what.steps.map(({ title }) => title).join(' and the ')}`, runSteps());
	mkdirSync(join(root, 'build'), { recursive: true });
	writeFileSync(record, JSON.stringify(what.env));
	// A source that changed during the build is newer than the build.
	utimesSync(record, startedAt, startedAt);
}

/**
 * Says what runs, on a terminal also for how long.
 * @param {(line: string) => void} log
 * @param {string} title
 * @param {Promise<void>} work
 */
async function timed(log, title, work) {
	const { stderr } = process;
	const begin = Date.now();
	const text = () => `${title} … ${Math.round((Date.now() - begin) / 1000)} s`;
	if (!stderr.isTTY) {
		log(`${title} …`);
		return work;
	}
	const show = () => stderr.write(`\r${text()}`);
	show();
	const timer = setInterval(show, 1000);
	try {
		await work;
	} finally {
		clearInterval(timer);
		stderr.write(`\r${text()}\n`);
	}
}

/**
 * Writes what `tsconfig.json` extends, because every step reads it and only that of the pages would write it. npm's script
 * `prepare` does the same, unless packages are installed with `--ignore-scripts`.
 * @param {string} root
 */
async function ensureSynced(root) {
	if (existsSync(join(root, '.svelte-kit/tsconfig.json'))) return;
	const kit = join(root, 'node_modules/@sveltejs/kit/svelte-kit.js');
	await run(root, process.execPath, [kit, 'sync'], 'svelte-kit sync failed.');
}

/**
 * @param {string} root
 * @param {Build} what
 */
function isCurrent(root, what) {
	const record = recordOf(root, what);
	const builtAt = modifiedAt(record);
	if (builtAt === 0 || readFileSync(record, 'utf8') !== JSON.stringify(what.env)) return false;
	return sources.every((source) => newestIn(join(root, source)) < builtAt);
}

/**
 * The file that records a finished build: its time, and the variables it was built with.
 * @param {string} root
 * @param {Build} what
 */
function recordOf(root, what) {
	return join(root, 'build', `.${what.name}`);
}

/**
 * Whether npm's own record in node_modules has every package of the lock file in its version.
 * @param {string} root
 * @param {boolean} withTools as for `ensureInstalled`
 */
function isInstalled(root, withTools) {
	try {
		const installed = packagesIn(join(root, 'node_modules/.package-lock.json'));
		return Object.entries(packagesIn(join(root, 'package-lock.json'))).every(
			([path, { version, dev, devOptional, optional, extraneous }]) =>
				path === '' ||
				(!withTools && (dev === true || devOptional === true)) ||
				optional === true ||
				extraneous === true ||
				installed[path]?.version === version
		);
	} catch {
		return false;
	}
}

/**
 * @param {string} lockFile
 * @returns {Record<string, LockedPackage>}
 */
function packagesIn(lockFile) {
	/** @type {{ packages: Record<string, LockedPackage> }} */
	const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
	return packages;
}

/**
 * The newest change of a file, or of a folder with all that is in it. A deleted file changes its folder.
 * @param {string} path
 * @returns {number} milliseconds since 1970, 0 where it does not exist
 */
function newestIn(path) {
	const inside = existsSync(path) && statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [];
	return Math.max(modifiedAt(path), ...inside.map((entry) => modifiedAt(join(path, String(entry)))));
}

/** @param {string} path */
function modifiedAt(path) {
	return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Runs a program. Its output is shown only where it fails.
 * @param {string} root
 * @param {string} program
 * @param {string[]} args
 * @param {string} failure what to say where it fails
 * @param {Readonly<Record<string, string>>} [extraEnv]
 * @returns {Promise<void>}
 */
function run(root, program, args, failure, extraEnv = {}) {
	return new Promise((resolve, reject) => {
		// A build is for production, whatever the environment of this process says.
		const unset = { NODE_ENV: undefined, TOLLGATE_TARGET: undefined };
		const env = { ...process.env, ...unset, ...extraEnv };
		const child = spawn(program, args, { cwd: root, env, shell: process.platform === 'win32' });
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
		}
		child.once('error', (error) => reject(new BuildError(`${failure} (${error.message})`)));
		child.once('close', (code) => {
			if (code === 0) resolve();
			else reject(new BuildError(`${output.trimEnd()}\n\n${failure}`));
		});
	});
}
