// `npm test`: sets up what is missing, then runs every stage and sums up. `npm test -- lint unit` runs only those.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../src/tooling/ensure-build.js';
import { ensureBrowser } from './run/browser.js';
import { npm, overtime } from './run/process.js';
import { countPlaywright, countVitest, countWhole, failuresOfPlaywright, failuresOfVitest } from './run/reports.js';

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {string[]} command arguments of npm
 * @property {number} minutes after which it is ended, and failed
 * @property {(exitCode: number) => import('./run/reports.js').Count} count
 * @property {() => import('./run/reports.js').Failure[]} [failures] what failed in it
 * @property {string} [needs] a stage without which this one makes no sense
 * @property {boolean} [browser] whether it needs one
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const results = join(root, 'test-results');
const vitestReport = join(results, 'vitest.json');
const playwrightReport = join(results, 'playwright.json');
const vitest = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`];
const playwright = ['playwright', 'test', '--config', 'tests/playwright.config.ts'];

/** @type {Stage[]} */
const stages = [
	{ name: 'format', command: ['run', '-s', 'format:check'], minutes: 2, count: countWhole },
	{ name: 'lint', command: ['run', '-s', 'lint'], minutes: 5, count: countWhole },
	{ name: 'types', command: ['run', '-s', 'check'], minutes: 5, count: countWhole },
	{ name: 'build', command: ['run', '-s', 'build'], minutes: 5, count: countWhole },
	{ name: 'static', command: ['run', '-s', 'build:static'], minutes: 5, count: countWhole },
	{
		name: 'unit',
		command: ['exec', '--', ...vitest],
		minutes: 15,
		count: (exitCode) => countVitest(vitestReport, exitCode),
		failures: () => failuresOfVitest(vitestReport),
		browser: true
	},
	{
		name: 'e2e',
		command: ['exec', '--', ...playwright],
		minutes: 15,
		count: (exitCode) => countPlaywright(playwrightReport, exitCode),
		failures: () => failuresOfPlaywright(playwrightReport),
		needs: 'build',
		browser: true
	}
];

process.chdir(root);
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !stages.some((stage) => stage.name === name));
if (unknown === undefined) {
	const chosen = stages.filter((stage) => asked.length === 0 || asked.includes(stage.name));
	process.exitCode = (await runAll(chosen)) ? 0 : 1;
} else {
	console.error(`There is no stage ${unknown}. Stages: ${stages.map((stage) => stage.name).join(', ')}`);
	process.exitCode = 2;
}

/**
 * @param {Stage[]} chosen
 * @returns {Promise<boolean>} whether all is well
 */
async function runAll(chosen) {
	const began = Date.now();
	rmSync(results, { recursive: true, force: true });
	mkdirSync(results, { recursive: true });
	const total = { passed: 0, failed: 0, skipped: 0 };
	const lines = [];
	/** @type {Set<string>} */
	const broken = new Set();
	const ready = await setUp(chosen);
	if (!ready) total.failed += 1;
	for (const stage of ready ? chosen : []) {
		const { count, note } = await runStage(stage, broken);
		if (count.failed > 0) broken.add(stage.name);
		total.passed += count.passed;
		total.failed += count.failed;
		total.skipped += count.skipped;
		lines.push(`${count.failed > 0 ? '✗' : '✓'} ${stage.name.padEnd(8)}${sum(count)}, ${note}`);
	}
	for (const { name, failures } of ready ? chosen : []) {
		if (!broken.has(name)) continue;
		for (const failure of failures?.() ?? []) lines.push(`\n✗ ${name}: ${failure.name}\n${indented(failure.message)}`);
	}
	const well = total.failed === 0 && total.passed > 0;
	console.log(`\n${lines.join('\n')}\n\n${well ? 'All is well' : 'Not well'}: ${sum(total)}, in ${seconds(began)}`);
	writeFileSync(join(results, 'summary.txt'), `${sum(total)}\n`);
	return well;
}

/**
 * Everything that a fresh clone lacks.
 * @param {Stage[]} chosen
 * @returns {Promise<boolean>} whether the stages can run
 */
async function setUp(chosen) {
	try {
		await ensureInstalled(root, (line) => console.log(line));
		if (chosen.some((stage) => stage.browser)) process.env.TOLLGATE_BROWSER = ensureBrowser();
		return true;
	} catch (fault) {
		console.error(fault instanceof Error ? fault.message : fault);
		return false;
	}
}

/**
 * @param {Stage} stage
 * @param {Set<string>} broken the stages that failed before
 */
async function runStage(stage, broken) {
	if (stage.needs !== undefined && broken.has(stage.needs)) {
		return { count: countWhole(1), note: `not run: ${stage.needs} failed` };
	}
	heading(stage.name);
	const began = Date.now();
	const exitCode = await npm(stage.command, stage.minutes);
	const ended = exitCode === overtime ? ', ended: it took too long' : '';
	return { count: stage.count(exitCode), note: `${seconds(began)}${ended}` };
}

/** @param {import('./run/reports.js').Count} count */
function sum({ passed, failed, skipped }) {
	return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** @param {string} text */
function indented(text) {
	return text.replace(/^/gm, '  ');
}

/** @param {string} text */
function heading(text) {
	console.log(`\n── ${text} ${'─'.repeat(Math.max(0, 100 - text.length))}`);
}

/** @param {number} began */
function seconds(began) {
	return `${((Date.now() - began) / 1000).toFixed(1)} s`;
}
