import { expect, test } from 'vitest';
import type { AgentFault } from '#api/agent-faults.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { agentRuns } from '#evidence/agents/agent-runs.ts';
import { differentSteps, type Ladder, ladderOf, resultOf } from '#evidence/agents/ladder.ts';
import { clientVersion1, clientVersion2 } from '../../conformance/agent-clients.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';
import { createTestService } from '../../service/test-service.ts';

// The logs are those of unmodified clients of the Model Context Protocol.

async function trafficOf(at: Sandbox): Promise<readonly TrafficEntry[]> {
	return Object((await at.control('GET', 'traffic?limit=500')).json()).entries;
}

/** The ladders of both clients, with a fault of the server. */
async function laddersWith(agent_fault: AgentFault): Promise<[Ladder, Ladder]> {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard', dynamic_registration: true, agent_fault });
	for (const create of [clientVersion2, clientVersion1])
		await create({ at })
			.call('list_names')
			.catch(() => undefined);
	const [one, other, ...more] = agentRuns(await trafficOf(at)).map(ladderOf);
	if (one === undefined || other === undefined || more.length > 0) throw new Error('The log has not two agents.');
	return [one, other];
}

const wordsOf = ({ steps }: Ladder) =>
	steps.map((tries) => tries.map(({ tone, status, reason }) => `${tone} ${status ?? ''} ${reason}`).join(' · '));

test('names the clients, and finds nothing wrong without a fault', async () => {
	const [two, one] = await laddersWith('none');
	expect([two.run.name, one.run.name]).toEqual(['TypeScript client 2.4.0', 'TypeScript client 1.32.2']);
	expect([resultOf(two), resultOf(one)]).toEqual([
		{ tone: 'ok', text: 'All 8 right' },
		{ tone: 'ok', text: 'All 8 right' }
	]);
	expect(wordsOf(two)).toEqual([
		'ok 401 WWW-Authenticate names resource_metadata',
		'ok 200 Path read from resource_metadata',
		'skipped  Found in step 2',
		'ok 200 Issuer path inserted',
		'ok 201 Registered. Consent shows only the name it gave itself',
		'ok  Token works at this server only',
		'ok 303 As announced',
		'ok  Accepted, code sent'
	]);
	expect(differentSteps(two, one)).toEqual([]);
});

test('marks the slash that one client ignores and the other one rejects', async () => {
	const [two, one] = await laddersWith('iss_slash');
	expect(wordsOf(two).slice(5)).toEqual([
		'ok  In the first request. No token request',
		'ok 303 Fault: the server added a slash to iss',
		'ok  Stopped. No code was sent'
	]);
	expect(wordsOf(one)[7]).toBe('error  Accepted, code sent');
	expect([resultOf(two).text, resultOf(one).text]).toEqual(['All 8 right', 'Failed at 8']);
	expect(differentSteps(two, one)).toEqual([6, 8]);
	expect(one.issuer?.difference).toMatchObject({
		title: 'The issuer has one character more',
		found: [{ isDifferent: false }, { text: '/', isDifferent: true }]
	});
});

test.each([
	['iss_missing', 7, 'Fault: the server left iss out', 'The issuer was not sent'],
	['iss_wrong', 7, 'Fault: the server sent another iss', 'The response names another issuer'],
	['iss_unexpected', 7, 'Fault: the server sent another iss', 'The response names another issuer']
] as const)('names the fault %s of the authorization response', async (fault, step, reason, title) => {
	const [two, one] = await laddersWith(fault);
	for (const ladder of [two, one]) {
		expect(wordsOf(ladder)[step - 1]).toContain(reason);
		expect(ladder.issuer?.difference.title).toBe(title);
	}
	expect([resultOf(two).tone, resultOf(one).tone]).toEqual(['ok', 'error']);
});

test('says which client uses the metadata of another issuer', async () => {
	const [two, one] = await laddersWith('metadata_issuer');
	expect(wordsOf(two)[3]).toBe('ok 200 Another issuer. Stopped, as it must');
	expect(wordsOf(one)[3]).toBe('error 200 Another issuer, but used');
});

test('says that both clients stop at the metadata of another resource', async () => {
	for (const ladder of await laddersWith('other_resource'))
		expect(wordsOf(ladder)[1]).toBe('ok 200 Another resource. Stopped, as it must');
});

test('shows each URL that a client guesses', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard' });
	const agent = ['User-Agent', 'acme-agent/0.9'] as const;
	await at.send({ method: 'POST', target: '/mcp', headers: agent, body: '{}' });
	await at.get('/.well-known/oauth-protected-resource', ...agent);
	await at.transport.send({ target: `/.well-known/oauth-protected-resource${at.prefix}/mcp/`, headers: agent });
	await at.get('/.well-known/openid-configuration', ...agent);
	const [ladder, ...more] = agentRuns(await trafficOf(at)).map(ladderOf);
	expect(more).toEqual([]);
	if (ladder === undefined) throw new Error('There is no agent.');
	expect(ladder.run.name).toBe('acme-agent 0.9');
	expect(wordsOf(ladder).slice(1, 5)).toEqual([
		'caution 200 Header ignored, root of the sandbox guessed',
		'ok 200 Path of the server inserted',
		'ok 200 OpenID, issuer path appended',
		'waiting  The client has not come here'
	]);
});

test('says where a guess at the root path is, which a sandbox does not see', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard' });
	const agent = ['User-Agent', 'acme-agent/0.9'] as const;
	await at.send({ method: 'POST', target: '/mcp', headers: agent, body: '{}' });
	await at.transport.send({ target: '/.well-known/oauth-protected-resource', headers: agent });
	const stepOf = async () => {
		const [ladder] = agentRuns(await trafficOf(at)).map(ladderOf);
		return ladder?.steps[1]?.map(({ text, reason }) => `${text}: ${reason}`);
	};
	expect(await stepOf()).toEqual(['Not yet: A guess at the root path is in the log of the root sandbox']);
	await at.get('/.well-known/openid-configuration', ...agent);
	expect(await stepOf()).toEqual(['Not in this log: A guess at the root path is in the log of the root sandbox']);
});
