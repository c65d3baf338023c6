// The load generator: a separate process that does one job a message, and says how busy it was itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection } from './connection.js';
import { flood } from './flood.js';
import { scripts } from './scripts.js';

/**
 * @typedef {object} Job
 * @property {string} script
 * @property {number} port
 * @property {import('./scripts.js').Target} target
 * @property {string} [localAddress] the client address. Default: 127.0.0.1
 * @property {number} connections
 * @property {number} [seconds] how long, or
 * @property {number} [rounds] how many
 * @property {number} [every] milliseconds from the beginning of one round to that of the next, for each connection. They open one
 *   after the other, like those of users. Default: as fast as possible, and all at once
 */

/**
 * @typedef {object} Result
 * @property {number} rounds that went well
 * @property {number} failed
 * @property {string} [fault] the first one
 * @property {number} perSecond
 * @property {number} p50 milliseconds
 * @property {number} p99 milliseconds
 * @property {number} busy share of its core that the load generator took, 0 to 1
 */

/** Milliseconds between two connections that open one after the other. */
const openingTime = 10;

process.on('message', (/** @type {Job | import('./flood.js').Flood} */ job) => {
	if ('bytes' in job) flood(job);
	else void run(job).then((result) => process.send?.(result));
});

/**
 * @param {Job} job
 * @returns {Promise<Result>}
 */
async function run(job) {
	/** @type {number[]} */
	const times = [];
	let failed = 0;
	/** @type {string | undefined} */
	let fault;
	let begun = 0;
	const began = performance.now();
	const cpu = process.cpuUsage();
	const end = began + (job.seconds ?? Infinity) * 1000;
	const most = job.rounds ?? Infinity;
	const make = scripts[job.script];
	if (make === undefined) throw new Error(`no script ${job.script}`);

	/** @param {number} index @returns {Promise<void>} */
	const visit = (index) =>
		new Promise((resolve) => {
			const visitor = make(job.target, index, job.connections);
			let sent = 0;
			const begin = () => {
				if (begun >= most || performance.now() >= end) {
					connection.close();
					resolve();
					return;
				}
				begun += 1;
				sent = performance.now();
				connection.send(visitor.begin());
			};
			const connection = openConnection(
				{
					host: '127.0.0.1',
					port: job.port,
					...(job.localAddress === undefined ? {} : { localAddress: job.localAddress })
				},
				(response) => {
					const next = visitor.next(response);
					if (typeof next === 'string') {
						connection.send(next);
						return;
					}
					if (next) times.push(performance.now() - sent);
					else {
						failed += 1;
						fault ??= `${response.head.split('\r\n', 1)[0] ?? ''} ${response.body.slice(0, 200)}`;
					}
					if (job.every === undefined) begin();
					else setTimeout(begin, sent + job.every - performance.now());
				},
				(error) => {
					failed += 1;
					fault ??= error.message;
					connection.close();
					resolve();
				}
			);
			begin();
		});

	const apart = job.every === undefined ? 0 : openingTime;
	await Promise.all(
		Array.from({ length: job.connections }, async (_, index) => {
			if (apart > 0) await sleep(index * apart);
			await visit(index);
		})
	);
	const wall = performance.now() - began;
	const { user, system } = process.cpuUsage(cpu);
	times.sort((a, b) => a - b);
	/** @param {number} share */
	const at = (share) => times[Math.floor(times.length * share)] ?? 0;
	return {
		rounds: times.length,
		failed,
		...(fault === undefined ? {} : { fault }),
		perSecond: (times.length / wall) * 1000,
		p50: at(0.5),
		p99: at(0.99),
		busy: (user + system) / 1000 / wall
	};
}
