import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { readResult } from '#exam/report/json.ts';
import { titleOf } from '#features/exam/verdicts.ts';
import { examAgent } from '#tooling/program/client-exam/agent-exam.ts';
import type { Given } from '#tooling/program/client-exam/choices.ts';
import { temporaryFolder } from '../../hosts/temporary-folder.ts';

const given = { kind: 'web', seed: '1', failOn: '2', env: [], dialect: 'standard', strict: true } as const;

afterEach(() => vi.restoreAllMocks());

/** Examines version 1 of the SDK. Returns the exit code, and the verdict about each rule. */
async function examined(options: Partial<Given> = {}): Promise<[number, Record<string, string>]> {
	const lines: string[] = [];
	vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
	const client = [process.execPath, 'tests/tooling/exam/agent-client.js', '1', '{server}'];
	const code = await examAgent({ ...given, ...options }, client);
	const rows = lines.flatMap((line) => [...line.matchAll(/^ {2}(passed|failed|not shown) +(\S+)/g)]);
	return [code, Object.fromEntries(rows.map(([, verdict = '', rule = '']) => [rule, verdict]))];
}

test('the exam names what the first version of the SDK ignores', async () => {
	const [code, verdicts] = await examined();
	expect([code, verdicts]).toEqual([
		1,
		{
			'agent.resource': 'passed',
			'agent.scope_union': 'not shown',
			'agent.iss_wrong': 'failed',
			'agent.iss_missing': 'failed',
			'agent.iss_unexpected': 'failed',
			'agent.iss_slash': 'failed',
			'agent.metadata_issuer': 'failed',
			'agent.other_resource': 'passed',
			'agent.moved_server': 'passed',
			'agent.registration_rejected': 'passed',
			'agent.endless_403': 'passed'
		}
	]);
}, 120_000);

test('judges the chosen rules, writes both files, and fails by severity', async () => {
	const folder = await temporaryFolder();
	const files = { json: join(folder, 'exam.json'), junit: join(folder, 'exam.xml') };
	const [code, verdicts] = await examined({ only: 'agent.iss_slash', failOn: 'never', ...files });
	expect([code, verdicts]).toEqual([0, { 'agent.iss_slash': 'failed' }]);
	const { counts, findings } = readResult(readFileSync(files.json, 'utf8'));
	expect(counts).toMatchObject({ failed: 1, passed: 0 });
	expect(titleOf(findings[0]?.rule ?? '')).toBe('Sends no code after an iss with a slash more');
	expect(findings).toMatchObject([{ rule: 'agent.iss_slash', severity: 1, sections: ['RFC 9207 §2.4'] }]);
	expect(readFileSync(files.junit, 'utf8')).toContain('<failure type="severity 1"');
}, 60_000);

test('a rule that does not exist is named', async () => {
	await expect(examAgent({ ...given, only: 'agent.iss' }, ['true'])).rejects.toThrow(
		'--only: no rule is called agent.iss. Choose from those that /docs/agents lists.'
	);
	await expect(examAgent({ ...given, skip: 'agent.*' }, ['true'])).rejects.toThrow('leave no rule to judge');
});

test('a command is needed', async () => {
	await expect(examAgent(given, [])).rejects.toThrow('Write the command of the client behind two dashes');
});
