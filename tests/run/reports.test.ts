import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { countPlaywright, countVitest, countWhole, failuresOfPlaywright, failuresOfVitest } from './reports.js';

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

describe('what failed, in words', () => {
	test('Vitest: tests, and files that did not load', () => {
		const testResults = [
			{
				name: 'a.test.ts',
				status: 'failed',
				message: '',
				assertionResults: [
					{ status: 'passed', fullName: 'is well', failureMessages: [] },
					{
						status: 'failed',
						fullName: 'breaks',
						failureMessages: ['expected \u001b[31m1\u001b[39m to be 2\n    at a.test.ts:3']
					}
				]
			},
			{ name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }
		];
		expect(failuresOfVitest(report({ testResults }))).toEqual([
			{ name: 'breaks', message: 'expected 1 to be 2\n    at a.test.ts:3' },
			{ name: 'b.test.ts', message: 'no such module' }
		]);
	});

	test('Playwright: tests at any depth, and faults outside them', () => {
		const well = { title: 'is well', ok: true, file: 'a.spec.ts', tests: [{ results: [{ errors: [] }] }] };
		const results = [{ errors: [{ message: 'not visible' }, {}] }];
		const broken = { title: 'breaks', ok: false, file: 'a.spec.ts', tests: [{ results }] };
		const suites = [{ specs: [well], suites: [{ specs: [broken] }] }];
		expect(failuresOfPlaywright(report({ suites, errors: [{ message: 'no browser' }] }))).toEqual([
			{ name: 'outside the tests', message: 'no browser' },
			{ name: 'a.spec.ts: breaks', message: 'not visible' }
		]);
	});

	test('only the beginning of a long message is told', () => {
		const message = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
		const testResults = [{ name: 'a.test.ts', status: 'failed', message, assertionResults: [] }];
		expect(failuresOfVitest(report({ testResults }))[0]?.message.split('\n')).toHaveLength(8);
	});

	test('a runner that left no report names nothing', () => {
		const none = join(folder, 'none.json');
		expect([...failuresOfVitest(none), ...failuresOfPlaywright(none)]).toEqual([]);
	});
});
