// How many tests a stage really ran, by the reports that the runners wrote.
import { readFileSync } from 'node:fs';

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
