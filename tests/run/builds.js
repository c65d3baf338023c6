// The builds that tests run. The setup of Vitest and Playwright makes them; tests only use them.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { application, cli, ensureBuilt, ensureStatic, library } from '../../src/tooling/ensure-build.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const builds = { application, cli, library };

/** The paths that the static build is tested below. */
const bases = ['', '/demo'];

/**
 * Makes the builds that are missing or older than the sources. The static build is made beside the others: they share no output.
 * @param {...(keyof typeof builds | 'static')} names
 * @throws {import('../../src/tooling/ensure-build.js').BuildError}
 */
export async function makeBuilds(...names) {
	const isStatic = names.includes('static');
	await Promise.all([makeInOrder(names.filter((name) => name !== 'static')), isStatic ? makeStatic() : undefined]);
}

/** @param {(keyof typeof builds)[]} names */
async function makeInOrder(names) {
	for (const name of names) await ensureBuilt(root, log, builds[name]);
}

async function makeStatic() {
	for (const base of bases) await ensureStatic(root, log, base, staticFolder(base));
}

/** @param {string} line */
function log(line) {
	console.log(line);
}

/** @param {string} base */
function staticFolder(base) {
	return `build/static${base.replace('/', '-')}`;
}

/**
 * @param {'' | '/demo'} base the path that the static build is served below
 * @returns {string} its folder
 */
export function staticBuild(base) {
	return join(root, staticFolder(base));
}
