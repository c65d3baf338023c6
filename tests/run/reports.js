// What became of a stage's tests, by the reports that the runners wrote.
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/**
 * A stage that is one test as a whole.
 * @param {number} exitCode
 * @returns {Count}
 */
export function countWhole(exitCode) {
	return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/**
 * @param {string} file Vitest's JSON report
 * @param {number} exitCode of Vitest
 * @returns {Count}
 */
export function countVitest(file, exitCode) {
	/** @typedef {{ status: string, assertionResults: unknown[] }} TestFile */
	/** @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, testResults: TestFile[] } | undefined} */
	const report = read(file);
	if (report === undefined) return countWhole(1);
	const unloaded = report.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0);
	return consistent(
		{
			passed: report.numPassedTests,
			failed: report.numFailedTests + unloaded.length,
			skipped: report.numPendingTests
		},
		exitCode
	);
}

/**
 * @param {string} file Playwright's JSON report
 * @param {number} exitCode of Playwright
 * @returns {Count}
 */
export function countPlaywright(file, exitCode) {
	/** @type {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors: unknown[] } | undefined} */
	const report = read(file);
	if (report === undefined) return countWhole(1);
	const { expected, unexpected, flaky, skipped } = report.stats;
	return consistent({ passed: expected, failed: unexpected + flaky + report.errors.length, skipped }, exitCode);
}

/** @typedef {{ name: string, message: string }} Failure */

/**
 * What failed in a run of Vitest.
 * @param {string} file its JSON report
 * @returns {Failure[]} none where it left no report
 */
export function failuresOfVitest(file) {
	/** @typedef {{ status: string, fullName: string, failureMessages: string[] }} Test */
	/** @type {{ testResults: { name: string, status: string, message: string, assertionResults: Test[] }[] } | undefined} */
	const report = read(file);
	return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
		if (status === 'failed' && assertionResults.length === 0) return [failure(name, message)];
		const failed = assertionResults.filter((one) => one.status === 'failed');
		return failed.map(({ fullName, failureMessages }) => failure(fullName, failureMessages.join('\n')));
	});
}

/**
 * What failed in a run of Playwright.
 * @param {string} file its JSON report
 * @returns {Failure[]} none where it left no report
 */
export function failuresOfPlaywright(file) {
	/** @typedef {{ message?: string }} Fault */
	/** @typedef {{ title: string, ok: boolean, file: string, tests: { results: { errors: Fault[] }[] }[] }} Spec */
	/** @typedef {{ specs: Spec[], suites?: Suite[] }} Suite */
	/** @type {{ suites: Suite[], errors: Fault[] } | undefined} */
	const report = read(file);
	if (report === undefined) return [];
	/** @type {(suite: Suite) => Spec[]} */
	const specsOf = ({ specs, suites = [] }) => [...specs, ...suites.flatMap(specsOf)];
	/** @type {(faults: Fault[]) => string} */
	const words = (faults) => faults.map(({ message = '' }) => message).join('\n');
	return [
		...report.errors.map((fault) => failure('outside the tests', words([fault]))),
		...report.suites
			.flatMap(specsOf)
			.filter(({ ok }) => !ok)
			.map(({ title, file, tests }) =>
				failure(`${file}: ${title}`, words(tests.flatMap(({ results }) => results).flatMap(({ errors }) => errors)))
			)
	];
}

/** How much of a message is told, in lines: what was expected stands at its beginning, the rest in the runner's own output. */
const told = 8;

/**
 * @param {string} name
 * @param {string} message
 * @returns {Failure}
 */
function failure(name, message) {
	const lines = stripVTControlCharacters(message).split('\n');
	return { name, message: lines.slice(0, told).join('\n').trimEnd() };
}

/**
 * A runner that failed without naming a test, or that ran none, counts as one failure.
 * @param {Count} count
 * @param {number} exitCode
 */
function consistent(count, exitCode) {
	const unsaid = count.failed === 0 && (exitCode !== 0 || count.passed === 0);
	return unsaid ? { ...count, failed: 1 } : count;
}

/** @param {string} file */
function read(file) {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return undefined;
	}
}
