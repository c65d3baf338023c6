import { XMLParser, XMLValidator } from 'fast-xml-parser';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { examResult } from '#api/exam.ts';
import { toGithubErrors } from '#exam/report/github.ts';
import { maxResultBytes, readResult, ResultFileError, toJson } from '#exam/report/json.ts';
import { toJunit } from '#exam/report/junit.ts';
import { toMarkdown } from '#exam/report/markdown.ts';
import { badResult, goodResult } from './example-result.ts';

it('writes JSON that is a result', () => {
	expect(v.parse(examResult, JSON.parse(toJson(badResult)))).toEqual(badResult);
});

it('writes a test case for each rule as JUnit XML', () => {
	const xml = toJunit(badResult);
	expect(XMLValidator.validate(xml)).toBe(true);
	const attributes = { ignoreAttributes: false, attributeNamePrefix: '' };
	const { testsuites } = new XMLParser(attributes).parse(xml);
	expect(testsuites).toMatchObject({ tests: '7', failures: '2', skipped: '2' });
	expect(testsuites.testsuite.map(({ name }: { name: string }) => name)).toEqual([
		'request',
		'call',
		'signout',
		'token',
		'callback'
	]);
	expect(testsuites.testsuite[4].testcase).toMatchObject({
		name: 'callback.state_required',
		failure: { type: 'severity 1', message: 'A callback without state was accepted: <state> & "code".' }
	});
	const { failure } = testsuites.testsuite[3].testcase;
	expect(failure['#text']).toContain('Requests: h_bW7nTq0s h_2 h_3\nSections: RFC 9700 §4.14');
	const [, navigated, scope] = testsuites.testsuite[0].testcase;
	expect(navigated.skipped.message).toBe('Not shown. Needs: a real browser.');
	expect(scope['system-out']).toMatch(/^Advice: No call needs/);
});

it('writes no character that XML forbids', () => {
	const [first] = badResult.findings.filter(({ verdict }) => verdict === 'failed');
	const findings = first === undefined ? [] : [{ ...first, text: 'a\u0000b\ud800' }];
	expect(toJunit({ ...badResult, findings })).toContain('message="a\ufffdb\ufffd"');
});

it('writes Markdown with the failed rules in a table', () => {
	const text = toMarkdown(badResult);
	expect(text).toContain('## Tollgate exam: 2 failed');
	expect(text).toContain(
		'| `callback.state_required` | 1 | A callback without state was accepted: \\<state\\> & "code". (RFC 6749 §10.12) |'
	);
	expect(text).toContain('<details><summary>2 not shown</summary>');
	expect(toMarkdown(goodResult)).toContain('## Tollgate exam: nothing failed');
});

it('writes one error of GitHub Actions for each failed rule', () => {
	const [first] = badResult.findings.filter(({ verdict }) => verdict === 'failed');
	const findings = first === undefined ? [] : [{ ...first, text: '100% wrong\nor not' }];
	expect(toGithubErrors({ ...badResult, findings })).toBe(
		'::error title=token.one_refresh::100%25 wrong%0Aor not Let all calls wait for one refresh, so that a new token of one call is also the token of all the other calls.\n'
	);
	expect(toGithubErrors(goodResult)).toBe('');
});

const file = (change: object) => JSON.stringify({ ...badResult, ...change });

it.each([
	[
		'damaged',
		toJson(badResult).slice(0, -20),
		'The file is no JSON. Open a file that npx tollgate exam wrote with --json.'
	],
	[
		'foreign',
		'{"name":"other","version":"1.0.0"}',
		'The file is no result of an exam. Open a file that npx tollgate exam wrote with --json.'
	],
	['a list', '[]', 'The file is no result of an exam. Open a file that npx tollgate exam wrote with --json.'],
	['empty', '', 'The file is no JSON. Open a file that npx tollgate exam wrote with --json.'],
	[
		'of another format',
		file({ format: 'tollgate-preset' }),
		'The file is no result of an exam. Open a file that npx tollgate exam wrote with --json.'
	],
	['wrong at one place', file({ findings: [{ ...badResult.findings[0], verdict: 'good' }] }), 'findings.0.verdict'],
	['of an unknown dialect', file({ dialect: 'other' }), 'The file is damaged at dialect'],
	['too large', file({ problem: 'x'.repeat(maxResultBytes) }), 'The file is larger than 1 MiB.']
])('rejects a result as a whole that is %s', (_, text, sentence) => {
	const read = () => readResult(text);
	expect(read).toThrow(ResultFileError);
	expect(read).toThrow(sentence);
});

it('opens a result that it wrote, and one of an earlier version, without a dialect', () => {
	expect(readResult(toJson(badResult))).toEqual(badResult);
	expect(readResult(file({ dialect: 'standard' })).dialect).toBe('standard');
});
