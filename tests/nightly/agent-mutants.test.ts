import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Finding } from '#api/exam.ts';
import { agentRuleIds } from '#evidence/agents/agent-rules.ts';
import { readResult } from '#exam/report/json.ts';
import { examAgent } from '#tooling/program/client-exam/agent-exam.ts';

// A client of the Model Context Protocol makes one mistake, and the exam names it. The public conformance suite has such clients in its
// repository, and none in its package. The exam of agents draws nothing, so each run is the same, but for its timing.

/** Examines version 2 of the SDK with a mistake. Returns the findings. */
async function examined(mistake: string, only?: string): Promise<readonly Finding[]> {
	const folder = await mkdtemp(join(tmpdir(), 'agent-'));
	const json = join(folder, 'exam.json');
	const given = { kind: 'web', seed: '1', failOn: 'never', env: [], dialect: 'standard', strict: true, json } as const;
	const client = [process.execPath, 'tests/tooling/exam/agent-client.js', '2', '{server}', mistake];
	try {
		await examAgent({ ...given, ...(only !== undefined && { only }) }, client);
		return readResult(await readFile(json, 'utf8')).findings;
	} finally {
		await rm(folder, { recursive: true });
	}
}

const failed = (findings: readonly Finding[]) =>
	findings.flatMap(({ rule, verdict }) => (verdict === 'failed' ? rule : []));

beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => undefined));

describe('the exam of an agent', { concurrent: true }, () => {
	test.for([1, 2, 3])('finds nothing at a client without a mistake, run %i', async () => {
		const findings = await examined('');
		expect(findings.map(({ rule, verdict }) => `${rule} ${verdict}`)).toEqual(agentRuleIds.map((id) => `${id} passed`));
	});

	test.for(agentRuleIds)('finds only %s at the client with this mistake', async (rule) => {
		const mistake = rule.slice('agent.'.length);
		expect(failed(await examined(mistake))).toEqual([rule]);
		for (let run = 0; run < 2; run++) expect(failed(await examined(mistake, rule))).toEqual([rule]);
	});
});
