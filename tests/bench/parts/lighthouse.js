// Lighthouse's verdict on a first visit, in its own two surroundings.
import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { promisify } from 'node:util';
import { startChromium } from '../chromium.js';
import { startBenched } from '../machine.js';
import { heading, table, target } from '../report.js';

const run = promisify(execFile);
/** Fetched when it is first needed: a large package that nothing else uses. */
const lighthouse = 'lighthouse@12.8.2';
const paths = ['/', '/viewer', '/learn'];
/** The phone is Lighthouse's default: a fourth of this machine's speed, and a slow mobile network, both simulated. */
const forms = [
	{ form: 'phone', options: [] },
	{ form: 'desktop', options: ['--preset=desktop'] }
];
const categories = /** @type {const} */ (['performance', 'accessibility', 'best-practices']);
const visits = 5;

/**
 * @typedef {object} Verdict
 * @property {number[]} scores of the categories, 0 to 100
 * @property {string[]} details how fast it felt
 */

/**
 * @typedef {object} Report the part of Lighthouse's report that is read
 * @property {{ message: string }} [runtimeError]
 * @property {Record<string, { displayValue?: string }>} audits
 * @property {Record<string, { score: number | null }>} categories
 */

/** @type {import('../run.js').Part} */
export const verdicts = {
	names: ['lighthouse'],
	async run() {
		heading(`Lighthouse: the median of ${visits} first visits, of 100`);
		const server = await startBenched('node');
		try {
			const rows = [];
			for (const path of paths) {
				for (const { form, options } of forms) {
					rows.push({ page: `${path}, ${form}`, verdict: await median(server.origin + path, options) });
				}
			}
			table(
				['page', 'performance', 'accessibility', 'best practices', 'LCP', 'blocked', 'shift'],
				rows.map(({ page, verdict }) => [page, ...verdict.scores.map(String), ...verdict.details])
			);
			const [minute = NaN] = loadavg();
			console.log(
				`  Performance falls with whatever else this machine does: its load average was ${minute.toFixed(1)}.`
			);
			for (const { page, verdict } of rows) target(`${page}: 100 in all three`, isPerfect(verdict));
		} finally {
			await server.close();
		}
	}
};

/**
 * The verdict in the middle.
 * @param {string} url
 * @param {string[]} options of Lighthouse's command
 */
async function median(url, options) {
	const first = await visit(url, options);
	const verdicts = [first];
	while (verdicts.length < visits) verdicts.push(await visit(url, options));
	verdicts.sort((a, b) => total(a) - total(b));
	return verdicts[Math.floor(visits / 2)] ?? first;
}

/** @param {Verdict} verdict */
function total({ scores }) {
	return scores.reduce((sum, score) => sum + score, 0);
}

/** @param {Verdict} verdict */
function isPerfect(verdict) {
	return total(verdict) === 100 * categories.length;
}

/**
 * One visit with a new profile, because data of an earlier visit would count.
 * @param {string} url
 * @param {string[]} options of Lighthouse's command
 * @returns {Promise<Verdict>}
 * @throws {Error} where the page could not be looked at
 */
async function visit(url, options) {
	const { port, close } = await startChromium();
	try {
		const always = [`--port=${port}`, '--quiet', '--output=json', `--only-categories=${categories.join(',')}`];
		const { stdout } = await run('npx', ['--yes', lighthouse, url, ...always, ...options], { maxBuffer: 64 * 2 ** 20 });
		/** @type {Report} */
		const { runtimeError, audits, categories: found } = JSON.parse(stdout);
		if (runtimeError) throw new Error(runtimeError.message);
		return {
			scores: categories.map((name) => Math.round((found[name]?.score ?? 0) * 100)),
			details: ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'].map(
				(name) => audits[name]?.displayValue ?? ''
			)
		};
	} finally {
		await close();
	}
}
