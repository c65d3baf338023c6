// How long a start takes that finds everything installed and built, certificate included.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataFolder, startServer } from '../../run/server.js';
import { heading, median, table, target } from '../report.js';

const script = join(dirname(fileURLToPath(import.meta.url)), '../../../src/tooling/start.js');
const rounds = 10;
const most = 1;

/** @type {import('../run.js').Part} */
export const starts = {
	names: ['start'],
	async run() {
		heading('A second start: seconds until it listens');
		const data = dataFolder();
		try {
			await start(data.path);
			/** @type {number[]} */
			const seconds = [];
			for (let round = 0; round < rounds; round++) seconds.push(await start(data.path));
			const slowest = Math.max(...seconds);
			table(['', 'median', 'slowest'], [[`${rounds} starts`, median(seconds).toFixed(2), slowest.toFixed(2)]]);
			target(`a second start takes less than ${most} s`, slowest < most);
		} finally {
			data.remove();
		}
	}
};

/**
 * @param {string} folder for the certificate
 * @returns {Promise<number>} seconds
 */
async function start(folder) {
	const began = performance.now();
	const server = await startServer([process.execPath, script], { PORT: '0', DATA_DIR: folder });
	const ended = performance.now();
	await server.close();
	return (ended - began) / 1000;
}
