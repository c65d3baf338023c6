// `npm start` and, with `companion` and its words, `npm run companion`: checks, installs and builds what is missing, then runs
// it. Plain JavaScript, since nothing may be there yet.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const [program, ...words] = process.argv.slice(2);
const isCompanion = program === 'companion';

/**
 * The companion's standard output is its own.
 * @param {string} line
 */
const say = (line) => (isCompanion ? console.error(line) : console.log(line));

/** The reason why this Node cannot run it, if there is one. */
function wrongNode() {
	/** @type {{ engines: { node: string } }} */
	const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const wanted = engines.node.replace('>=', '');
	const [major = 0, minor = 0] = wanted.split('.').map(Number);
	const [isMajor = 0, isMinor = 0] = process.versions.node.split('.').map(Number);
	if (isMajor > major || (isMajor === major && isMinor >= minor)) return undefined;
	return `Tollgate needs Node ${wanted} or newer; this is ${process.versions.node}. See https://nodejs.org.`;
}

async function start() {
	const reason = wrongNode();
	if (reason !== undefined) {
		console.error(reason);
		return 1;
	}
	const { BuildError, companion, ensureBuilt, ensureInstalled } = await import('./ensure-build.js');
	try {
		await ensureInstalled(root, say);
		await ensureBuilt(root, say, isCompanion ? companion : undefined);
	} catch (error) {
		if (!(error instanceof BuildError)) throw error;
		console.error(error.message);
		return 1;
	}
	/** @param {string} path */
	const load = (path) => import(pathToFileURL(join(root, path)).href);
	if (isCompanion) {
		/** @type {{ main: (words: readonly string[], root: string) => Promise<number> }} */
		const { main } = await load('build/companion/main.js');
		return main(words, root);
	}
	/** @type {{ main: (root: string) => Promise<boolean> }} */
	const { main } = await load('build/host/main.js');
	return (await main(root)) ? 0 : 1;
}

process.exitCode = await start();
