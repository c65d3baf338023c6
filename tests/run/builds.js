// The builds that tests run. The setup of Vitest and Playwright makes them; tests only use them.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { application, cli, ensureBuilt, library, staticFiles } from '../../src/tooling/ensure-build.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const builds = {
	application,
	cli,
	library,
	static: staticFiles(''),
	staticDemo: staticFiles('/demo', 'build/static-demo')
};

/**
 * Makes the builds that are missing or older than the sources. Static builds are made beside the others: they share no output.
 * @param {...keyof typeof builds} names
 * @throws {import('../../src/tooling/ensure-build.js').BuildError}
 */
export async function makeBuilds(...names) {
	const isStatic = (/** @type {string} */ name) => name.startsWith('static');
	await Promise.all([makeInOrder(names.filter(isStatic)), makeInOrder(names.filter((name) => !isStatic(name)))]);
}

/** @param {(keyof typeof builds)[]} names */
async function makeInOrder(names) {
	for (const name of names) await ensureBuilt(root, (line) => console.log(line), builds[name]);
}

/**
 * @param {'' | '/demo'} base the path that the static build is served below
 * @returns {string} its folder
 */
export function staticBuild(base) {
	return join(root, `build/static${base.replace('/', '-')}`);
}
