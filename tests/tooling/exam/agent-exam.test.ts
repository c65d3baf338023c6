import { afterEach, expect, test, vi } from 'vitest';
import { examAgent } from '#tooling/program/client-exam/agent-exam.ts';

const given = { kind: 'web', seed: '1', failOn: '2', env: [], dialect: 'standard', strict: true } as const;

afterEach(() => vi.restoreAllMocks());

/** Examines version 1 of the SDK. Returns the exit code, and the verdict about each rule. */
async function examined(): Promise<[number, Record<string, string>]> {
	const lines: string[] = [];
	vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
	const client = [process.execPath, 'tests/tooling/exam/agent-client.js', '1', '{server}'];
	const code = await examAgent(given, client);
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
			'agent.endless_403': 'passed'
		}
	]);
}, 120_000);

test('a command is needed', async () => {
	await expect(examAgent(given, [])).rejects.toThrow('Write the command of the client behind two dashes');
});
