// `npm test`: installs what is missing, runs all stages and prints how many tests passed. `npm test -- lint unit` runs these two stages,
// `npm test -- unit PATH` the tests below a path, `npm test -- changed` those that import a file with uncommitted changes.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../src/tooling/ensure-build.js';
import { ensureHeadlessBrowser, installHeadlessShell } from './run/browser.js';
import { run, timedOut } from './run/process.js';
import { ensureRedis } from './run/redis.js';

/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly string[]} [names] of the tests that failed
 */

/**
 * @typedef {object} TestStage
 * @property {string[]} changed options that run only the tests that import a changed file, also if there is none
 * @property {string[]} [usual] options without a path: they leave out what `npm run test:nightly` runs
 * @property {(file: string) => Count} count reads the report `test-results/NAME.json`
 */

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {string[]} command arguments of npm
 * @property {number} minutes until it is stopped and counts as failed
 * @property {boolean} [isPatient] leaves the processors to the other stages, and takes what they do not use
 * @property {(file: string) => Count} [count] see TestStage. A stage without it counts as one test
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const results = join(root, 'test-results');
const vitest = ['--reporter=default', '--reporter=json', '--outputFile.json=test-results/unit.json'];

/** @type {Stage[]} One after the other. */
const checks = [
	{ name: 'format', command: ['run', '-s', 'format:check'], minutes: 30, isPatient: true },
	// Makes the types of the routes, which lint reads.
	{ name: 'types', command: ['run', '-s', 'check'], minutes: 30, isPatient: true },
	{ name: 'lint', command: ['run', '-s', 'lint'], minutes: 30, isPatient: true }
];

/** @type {Stage} Before the tests. It needs no browser. */
const build = { name: 'build', command: ['exec', '--', 'node', 'tests/run/build-all.js'], minutes: 15 };

/** @type {(Stage & TestStage)[]} One after the other, beside the checks. They decide how long the whole takes. */
const tests = [
	{
		name: 'unit',
		command: ['exec', '--', 'vitest', 'run', ...vitest],
		minutes: 30,
		changed: ['--changed', '--passWithNoTests'],
		count: countVitest
	},
	{
		name: 'e2e',
		command: ['exec', '--', 'playwright', 'test', '--config', 'tests/playwright.config.ts'],
		minutes: 30,
		changed: ['--only-changed', '--pass-with-no-tests'],
		usual: ['--grep-invert', '@nightly'],
		count: countPlaywright
	}
];

process.chdir(root);
const args = process.argv.slice(2);
const onlyChanged = args.includes('changed');
const names = [...checks, build, ...tests].map(({ name }) => name);
const chosen = onlyChanged ? tests.map(({ name }) => name) : args.filter((name) => names.includes(name));
const paths = args.filter((arg) => !names.includes(arg) && arg !== 'changed');
const unknown = paths.find((path) => !existsSync(path));
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(130));
if (unknown !== undefined) fail(`Unknown stage or path: ${unknown}. The stages are ${names.join(', ')}.`);
else if (paths.length > 0 && (chosen.length !== 1 || !tests.some(({ name }) => name === chosen[0])))
	fail(`A path needs one of the stages ${tests.map(({ name }) => name).join(', ')}: npm test -- unit ${paths[0]}`);
else {
	const isPassed = await runAll().catch((/** @type {unknown} */ error) => {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1); // also ends the stages that run
	});
	process.exitCode = isPassed ? 0 : 1;
}

/** @param {string} message what is wrong with the arguments */
function fail(message) {
	console.error(message);
	process.exitCode = 2;
}

/** @returns {Promise<boolean>} whether every stage passed */
async function runAll() {
	const start = Date.now();
	rmSync(results, { recursive: true, force: true });
	mkdirSync(results, { recursive: true });
	/** @param {{ name: string }} stage */
	const isChosen = ({ name }) => chosen.length === 0 || chosen.includes(name);
	const needsBrowser = tests.some(isChosen);
	const installPrograms = async () => {
		if (needsBrowser) await installHeadlessShell();
		if (isChosen({ name: 'unit' })) await ensureRedis();
	};
	const installing = installPrograms();
	await ensureInstalled(root, console.log, true);
	const runTests = async () => {
		const built = await runLane([build].filter(isChosen));
		await installing;
		if (needsBrowser) ensureHeadlessBrowser();
		const stages = tests.filter(isChosen).map(({ changed, usual = [], command, ...stage }) => ({
			...stage,
			command: [...command, ...(paths.length > 0 ? paths : usual), ...(onlyChanged ? changed : [])]
		}));
		return [...built, ...(await runLane(stages))];
	};
	const summaries = (await Promise.all([runLane(checks.filter(isChosen)), runTests()])).flat();
	const total = { passed: 0, failed: 0, skipped: 0 };
	console.log();
	for (const { name, count, seconds } of summaries) {
		total.passed += count.passed;
		total.failed += count.failed;
		total.skipped += count.skipped;
		console.log(`${count.failed > 0 ? '✗' : '✓'} ${name.padEnd(8)}${sentence(count)}, ${seconds} s`);
	}
	const names = summaries.flatMap(({ name, count }) => (count.names ?? []).map((test) => `✗ ${name}: ${test}`));
	if (names.length > 0) console.log(`\n${names.join('\n')}`);
	console.log(`\n${secondsSince(start)} s\n${sentence(total)}`);
	return total.failed === 0 && (total.passed > 0 || onlyChanged);
}

/** @param {Stage[]} stages */
async function runLane(stages) {
	const summaries = [];
	for (const { name, command, minutes, isPatient = false, count } of stages) {
		const start = Date.now();
		const { code, output } = await run('npm', command, minutes, { isPatient });
		console.log(
			`\n── ${name} ${'─'.repeat(80)}\n${output}${code === timedOut ? `Stopped after ${minutes} minutes.\n` : ''}`
		);
		summaries.push({ name, count: countOf(name, count, code), seconds: secondsSince(start) });
	}
	return summaries;
}

/**
 * @param {string} name
 * @param {Stage['count']} count
 * @param {number} code exit code of the stage
 * @returns {Count} with at least one failure where the stage failed, or ran no test without a reason
 */
function countOf(name, count, code) {
	const whole = { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0 };
	let result = whole;
	try {
		if (count) result = count(join(results, `${name}.json`));
	} catch {
		result = { ...whole, passed: 0 }; // the stage ended without a report
	}
	const isSilentFailure = result.failed === 0 && (code !== 0 || (result.passed === 0 && !onlyChanged));
	return isSilentFailure ? { ...result, failed: 1 } : result;
}

/**
 * @param {string} file
 * @returns {Count}
 */
function countVitest(file) {
	/** @typedef {{ status: string, fullName: string }} Test */
	/** @typedef {{ name: string, status: string, assertionResults: Test[] }} TestFile */
	/** @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, testResults: TestFile[] }} */
	const report = JSON.parse(readFileSync(file, 'utf8'));
	// A file that cannot be loaded fails without a test.
	const unloaded = report.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0);
	const failed = report.numFailedTests + unloaded.length;
	const names = report.testResults.flatMap(({ name, assertionResults }) =>
		assertionResults
			.filter(({ status }) => status === 'failed')
			.map(({ fullName }) => `${relative(root, name)}: ${fullName}`)
	);
	return {
		passed: report.numPassedTests,
		failed,
		skipped: report.numPendingTests,
		names: [...unloaded.map(({ name }) => relative(root, name)), ...names]
	};
}

/**
 * @param {string} file
 * @returns {Count}
 */
function countPlaywright(file) {
	/** @typedef {{ title: string, file: string, line: number, tests: { status: string }[] }} Spec */
	/** @typedef {{ specs: Spec[], suites?: Suite[] }} Suite */
	/** @type {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors: unknown[], suites: Suite[] }} */
	const { stats, errors, suites } = JSON.parse(readFileSync(file, 'utf8'));
	/** @type {(suite: Suite) => Spec[]} */
	const specsOf = ({ specs, suites = [] }) => [...specs, ...suites.flatMap(specsOf)];
	const failed = suites
		.flatMap(specsOf)
		.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'));
	return {
		passed: stats.expected,
		failed: stats.unexpected + stats.flaky + errors.length,
		skipped: stats.skipped,
		names: failed.map(({ file, line, title }) => `${file}:${line}: ${title}`)
	};
}

/** @param {Count} count */
function sentence({ passed, failed, skipped }) {
	return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** @param {number} start */
function secondsSince(start) {
	return ((Date.now() - start) / 1000).toFixed(1);
}
