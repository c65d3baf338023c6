import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { countPlaywright, countVitest, countWhole } from './reports.js';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-'));
afterAll(() => rmSync(folder, { recursive: true }));

function report(content: object): string {
	const file = join(folder, 'report.json');
	writeFileSync(file, JSON.stringify(content));
	return file;
}

describe('what counts as failed', () => {
	test('a static stage is one test', () => {
		expect(countWhole(0)).toEqual({ passed: 1, failed: 0, skipped: 0 });
		expect(countWhole(2)).toEqual({ passed: 0, failed: 1, skipped: 0 });
	});

	test('a runner that left no report', () => {
		expect(countVitest(join(folder, 'none.json'), 0).failed).toBe(1);
		expect(countPlaywright(join(folder, 'none.json'), 0).failed).toBe(1);
	});

	test.each([
		['all passed', { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1 }, [], 0, [3, 0, 1]],
		['one failed', { numPassedTests: 2, numFailedTests: 1, numPendingTests: 0 }, [], 1, [2, 1, 0]],
		['none ran', { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 }, [], 0, [0, 1, 0]],
		['all passed, but it failed', { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0 }, [], 1, [3, 1, 0]],
		[
			'a file that did not load',
			{ numPassedTests: 3, numFailedTests: 0, numPendingTests: 0 },
			[{ status: 'failed', assertionResults: [] }],
			1,
			[3, 1, 0]
		]
	])('Vitest: %s', (_, numbers, testResults, exitCode, [passed, failed, skipped]) => {
		expect(countVitest(report({ ...numbers, testResults }), exitCode)).toEqual({ passed, failed, skipped });
	});

	test.each([
		['all passed', { expected: 4, unexpected: 0, flaky: 0, skipped: 0 }, [], 0, [4, 0, 0]],
		['one was lucky at the second try', { expected: 3, unexpected: 0, flaky: 1, skipped: 0 }, [], 0, [3, 1, 0]],
		['none ran', { expected: 0, unexpected: 0, flaky: 0, skipped: 2 }, [], 0, [0, 1, 2]],
		['a fault outside the tests', { expected: 4, unexpected: 0, flaky: 0, skipped: 0 }, [{}], 1, [4, 1, 0]]
	])('Playwright: %s', (_, stats, errors, exitCode, [passed, failed, skipped]) => {
		expect(countPlaywright(report({ stats, errors }), exitCode)).toEqual({ passed, failed, skipped });
	});
});
