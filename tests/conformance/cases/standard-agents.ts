import { equal, matches, ok } from '../assert.ts';
import type { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';
import { standardHostCase } from '../standard.ts';

function sendMessage(at: Sandbox, ...more: string[]): Promise<TestResponse> {
	const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
	return at.send({ method: 'POST', target: '/mcp', headers: ['Content-Type', 'application/json', ...more], body });
}

/** ST-31: the server for agents (Model Context Protocol). */
export const standardAgentCases = [
	standardHostCase(
		'ST-31 a message without a token gets 401 that names the metadata',
		async (at) => {
			const response = await sendMessage(at);
			equal(response.status, 401);
			const challenge = response.header('www-authenticate') ?? '';
			matches(challenge, /^Bearer .*scope="character_read"/);
			const [, url = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
			ok(url.includes('/.well-known/oauth-protected-resource') && url.endsWith('/mcp'), challenge);
		},
		['agents']
	),
	standardHostCase(
		'ST-31 a page of a site that is no client gets 403, a page of a client does not',
		async (at) => {
			await at.register('web', ['https://page.example/callback']);
			const statusFor = async (origin: string) => (await sendMessage(at, 'Origin', origin)).status;
			equal([await statusFor('https://evil.example'), await statusFor('null')], [403, 403]);
			equal([await statusFor('https://page.example'), await statusFor(new URL(at.base_url).origin)], [401, 401]);
		},
		['agents']
	),
	standardHostCase('ST-31 a host without the server says where there is one', async (at) => {
		const response = await sendMessage(at);
		if (response.status === 401) return;
		equal(response.status, 404);
		ok(response.text.includes('Agents need a Tollgate on a server. Start one: npx tollgate'), response.text);
		equal(await at.failedCheck(response), 'agent.server_runs');
	})
];
