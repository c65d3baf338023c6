// `npm start` and `npm run companion`: installs and builds what is missing, then runs the server or the command-line client.
// Plain JavaScript without packages, since none may be installed yet.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runWithMemorySettings, unsupportedNode } from './node-process.js';
import { copyToRun } from './running-copy.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const [program, ...args] = process.argv.slice(2);
const isCli = program === 'companion';
const isServer = program === undefined;
const isHelp = program === '--help' || program === '-h';

const usage = `Usage:
  npm start                            runs the server
  npm start -- check <file>            checks a world file, and lists the passwords and secrets that visitors can see
  npm start -- --help                  lists all settings
  npm run companion -- [command]       runs the command-line client
`;

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
	const mistake = isCli || isHelp ? undefined : findMistake();
	if (mistake !== undefined) {
		console.error(`${mistake} Settings are environment variables, for example PORT=8080. See npm start -- --help.`);
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
	const built = isServer ? copyToRun(root) : root;
	/** @param {string} path */
	const load = (path) => import(pathToFileURL(join(built, path)).href);
	if (isCli) {
		/** @type {{ main: (args: readonly string[], root: string) => Promise<number> }} */
		const { main } = await load('build/cli/main.js');
		return main(args, root);
	}
	/** @type {Pick<typeof import('../hosts/node/main.server.ts'), 'main' | 'checkWorld' | 'settingsHelp'>} */
	const { main, checkWorld, settingsHelp } = await load('build/host/main.js');
	if (isHelp) {
		console.log(`${usage}\n${settingsHelp()}`);
		return 0;
	}
	if (program === 'check') {
		const { isValid, text } = checkWorld(args[0] ?? '', process.env.INIT_CWD ?? process.cwd());
		(isValid ? console.log : console.error)(text);
		return isValid ? 0 : 1;
	}
	return (await main(built, root)) ? 0 : 1;
}

/** @returns {string | undefined} what is wrong with the arguments */
function findMistake() {
	if (program === undefined) return undefined;
	if (program !== 'check')
		return `npm start does not have the ${program.startsWith('-') ? 'option' : 'command'} ${program}.`;
	return args.length === 1 ? undefined : 'The command check needs one world file.';
}

const exitCode = isServer ? await runWithMemorySettings(process.env.npm_lifecycle_event !== undefined) : undefined;
process.exitCode = exitCode ?? (await start());
