// `npm run bench`: every figure in one run. `npm run bench -- refresh addresses` takes only those.
import { cpus } from 'node:os';
import { compressFolder, quality } from '../../src/tooling/compress-folder.js';
import { makeBuilds } from '../run/builds.js';
import { abandoned } from './parts/abandoned-logins.js';
import { addresses } from './parts/addresses.js';
import { attack } from './parts/attack.js';
import { attackFloods } from './parts/attack-floods.js';
import { classroom } from './parts/class.js';
import { classBoard } from './parts/class-board.js';
import { classRestart } from './parts/class-restart.js';
import { browser } from './parts/browser.js';
import { dialects } from './parts/dialects.js';
import { gauge } from './parts/gauge.js';
import { inspector } from './parts/inspector.js';
import { verdicts } from './parts/lighthouse.js';
import { firstVisits } from './parts/pages.js';
import { neighbor } from './parts/noisy-neighbor.js';
import { rates } from './parts/throughput.js';
import { recordFloods } from './parts/record-floods.js';
import { replicas } from './parts/replicas.js';
import { seatMemory } from './parts/seats.js';
import { starts } from './parts/startup.js';

/**
 * Something that is measured, on its own or together with its siblings.
 * @typedef {object} Part
 * @property {string[]} names what it is called on the command line
 * @property {(names: string[]) => Promise<void>} run measures those, and prints the figures
 */

/** @type {Part[]} */
const parts = [
	starts,
	rates,
	dialects,
	replicas,
	addresses,
	abandoned,
	neighbor,
	classroom,
	classBoard,
	classRestart,
	seatMemory,
	attack,
	recordFloods,
	attackFloods,
	browser,
	gauge,
	inspector,
	firstVisits,
	verdicts
];
const names = parts.flatMap((part) => part.names);
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !names.includes(name));

if (unknown === undefined) {
	await makeBuilds('application', 'static');
	// As the package has them.
	await compressFolder('build/kit/client', quality.best);
	console.log(`Node ${process.version} on ${cpus()[0]?.model ?? 'an unknown processor'}, ${cpus().length} cores`);
	for (const part of parts) {
		const chosen = part.names.filter((name) => asked.length === 0 || asked.includes(name));
		if (chosen.length > 0) await part.run(chosen);
	}
} else {
	console.error(`There is no part ${unknown}. Parts: ${names.join(', ')}`);
	process.exitCode = 2;
}
