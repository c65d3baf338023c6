import { expect, test } from 'vitest';
import { agentScenarios } from '#evidence/agents/agent-rules.ts';
import { judgeAgent } from '#evidence/agents/judge-agent.ts';
import { clientVersion2 } from '../../conformance/agent-clients.ts';
import { createTestService } from '../../service/test-service.ts';

test.each(agentScenarios)('version 2 of the SDK passes every rule of the scenario %s', async (agent_fault) => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard', dynamic_registration: true });
	const client = clientVersion2({ at });
	if (agent_fault === 'moved_server') {
		await client.call('list_names');
		client.forgetTokens();
	}
	await at.changeSettings({ agent_fault });
	for (const tool of ['list_names', 'read_private_fields'])
		await client.call(tool, { name: 'Mara Vell' }).catch(() => undefined);
	const { entries } = Object((await at.control('GET', 'traffic?limit=500')).json());
	for (const { rule, verdict, text } of judgeAgent(agent_fault, entries))
		expect(`${rule} ${verdict}: ${text}`).toMatch(/^agent\.\w+ passed: /);
});

test('names the scopes that a step-up forgets', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard', dynamic_registration: true });
	const client = clientVersion2({ at });
	await client.call('read_private_fields', { name: 'Mara Vell' });
	const log = JSON.stringify((await at.control('GET', 'traffic?limit=500')).json());
	const { entries } = JSON.parse(
		log
			.replaceAll('character_read%20location_read', 'location_read')
			.replaceAll('character_read+location_read', 'location_read')
	);
	expect(judgeAgent('none', entries).at(-1)).toMatchObject({
		rule: 'agent.scope_union',
		verdict: 'failed',
		text: 'The step-up did not ask for character_read again.'
	});
});

test('names a client that sends its old client ID to another server', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard', dynamic_registration: true });
	const client = clientVersion2({ at });
	await client.call('list_names');
	const old = client.client?.client_id ?? '';
	client.forgetTokens();
	await at.changeSettings({ agent_fault: 'moved_server' });
	await client.call('list_names');
	const log = JSON.stringify((await at.control('GET', 'traffic?limit=500')).json());
	const { entries } = JSON.parse(log.replaceAll(client.client?.client_id ?? '', old));
	expect(judgeAgent('moved_server', entries)).toMatchObject([
		{
			rule: 'agent.moved_server',
			verdict: 'failed',
			severity: 1,
			text: 'The other server got the client ID or a token of the first one.',
			requests: expect.arrayContaining([expect.any(String)])
		}
	]);
});

test('shows nothing without an agent', () => {
	expect(judgeAgent('iss_wrong', [])).toMatchObject([
		{ rule: 'agent.iss_wrong', verdict: 'not_shown', text: 'No request to /mcp.', requests: [] }
	]);
});
