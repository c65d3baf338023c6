// `npm start`, `npm start -- check world.json` and `npm run companion`: installs and builds what is missing, then runs the server or the command-line client.
// Plain JavaScript without packages, since none may be installed yet.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { unsupportedNode } from './unsupported-node.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const [program, ...args] = process.argv.slice(2);
const isCli = program === 'companion';

/**
 * Progress goes to standard error for the command-line client, whose standard output is data.
 * @param {string} line
 */
const log = (line) => (isCli ? console.error(line) : console.log(line));

/** @returns {Promise<number>} the exit code */
async function start() {
	const reason = unsupportedNode(root);
	if (reason !== undefined) {
		console.error(reason);
		return 1;
	}
	if (![undefined, 'companion', 'check'].includes(program)) {
		console.error(
			`There is no command ${program}. npm start takes check FILE, and settings from environment variables.`
		);
		console.error('src/ui/docs/content/settings.md lists the settings.');
		return 2;
	}
	const { BuildError, application, cli, ensureBuilt, ensureInstalled } = await import('./ensure-build.js');
	try {
		await ensureInstalled(root, log);
		await ensureBuilt(root, log, isCli ? cli : application);
	} catch (error) {
		// The latter is an error of the file system, such as a full disk.
		if (!(error instanceof BuildError) && !(error instanceof Error && 'syscall' in error)) throw error;
		console.error(error.message);
		return 1;
	}
	/** @param {string} path */
	const load = (path) => import(pathToFileURL(join(root, path)).href);
	if (isCli) {
		/** @type {{ main: (args: readonly string[], root: string) => Promise<number> }} */
		const { main } = await load('build/cli/main.js');
		return main(args, root);
	}
	/** @type {{ main: (root: string) => Promise<boolean>, checkWorld: (path: string | undefined, folder: string) => { isValid: boolean, text: string } }} */
	const { main, checkWorld } = await load('build/host/main.js');
	if (program === 'check') {
		const { isValid, text } = checkWorld(args[0], process.env.INIT_CWD ?? process.cwd());
		(isValid ? console.log : console.error)(text);
		return isValid ? 0 : 1;
	}
	if (process.env.npm_lifecycle_event !== undefined) endWithParent();
	return (await main(root)) ? 0 : 1;
}

/** npm ends at a signal and does not pass it on, which would leave the server running. */
function endWithParent() {
	const { ppid } = process;
	const timer = setInterval(() => {
		if (process.ppid === ppid) return;
		clearInterval(timer);
		process.kill(process.pid, 'SIGTERM');
	}, 500);
	timer.unref();
}

process.exitCode = await start();
