import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as client2 from '@modelcontextprotocol/client';
import * as sdk1 from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { agentFaultNames, type AgentFault } from '#api/agent-faults.ts';
import { expect, test } from 'vitest';
import { showsFlows } from '../client-flows.ts';
import { createTestService } from '../service/test-service.ts';
import { clientVersion1, clientVersion2, listNames1, listNames2 } from './agent-clients.ts';
import type { Sandbox } from './sandbox.ts';

// Unmodified clients of the Model Context Protocol. They know the URL of the server only.

const clients = { 'version 1 of the SDK': clientVersion1, 'version 2 of the SDK': clientVersion2 };

const documentation = readFileSync('src/content/docs/agents.md', 'utf8');

async function createAgentSandbox(): Promise<Sandbox> {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard', dynamic_registration: true });
	return at;
}

test.each(Object.entries(clients))('%s discovers, registers, signs in and calls a tool', async (_, create) => {
	const at = await createAgentSandbox();
	const client = create({ at });
	expect(JSON.parse(await client.call('list_names'))).toContain('Mara Vell');
	expect(client.requests.map((url) => url.searchParams.get('scope'))).toEqual(['character_read']);
	expect(client.requests[0]?.searchParams.get('resource')).toBe(`${at.base_url}/mcp`);
});

test.each(Object.entries(clients))('%s refreshes its token when it has expired', async (name, create) => {
	const at = await createAgentSandbox();
	const client = create({ at });
	await client.call('list_names');
	await at.advance(7200);
	expect(JSON.parse(await client.call('list_names'))).toContain('Mara Vell');
	expect(client.requests, 'the user is not asked again').toHaveLength(1);
	expect(await at.traffic()).toContain('grant_type=refresh_token');
	if (name.startsWith('version 1')) showsFlows('@modelcontextprotocol/sdk 1', 'discovery', 'code', 'refresh');
	else showsFlows('@modelcontextprotocol/client 2', 'discovery', 'code', 'refresh');
});

test('both versions of the SDK get tokens without a user, by a secret and by signed assertions', async () => {
	// Assertions have the time of this machine.
	const at = await createTestService({ now: Date.now }).sandbox();
	await at.changeSettings({ dialect: 'standard' });
	const { client_id: clientId, client_secret: clientSecret } = at.viewer;
	const secret = { clientId, clientSecret, expectedIssuer: at.base_url };
	expect(await listNames1(at, new sdk1.ClientCredentialsProvider(secret))).toContain('Mara Vell');
	expect(await listNames2(at, new client2.ClientCredentialsProvider(secret))).toContain('Mara Vell');
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	await at.controlled('PATCH', `applications/${clientId}`, { jwks: { keys: [publicKey.export({ format: 'jwk' })] } });
	const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
	const keyed = { clientId, privateKey: pem, algorithm: 'ES256', expectedIssuer: at.base_url };
	expect(await listNames1(at, new sdk1.PrivateKeyJwtProvider(keyed))).toContain('Mara Vell');
	expect(await listNames2(at, new client2.PrivateKeyJwtProvider(keyed))).toContain('Mara Vell');
	showsFlows('@modelcontextprotocol/sdk 1', 'credentials', 'assertion');
	showsFlows('@modelcontextprotocol/client 2', 'credentials', 'assertion');
});

test('version 2 of the SDK asks for the union of scopes at a step-up', async () => {
	const at = await createAgentSandbox();
	const client = clientVersion2({ at });
	await client.call('list_names');
	const read: unknown = JSON.parse(await client.call('read_private_fields', { name: 'Mara Vell' }));
	expect(read).toMatchObject({ name: 'Mara Vell', location: { place: 'Lantern Quay' } });
	const scopes = client.requests.map((url) => url.searchParams.get('scope'));
	expect(scopes).toEqual(['character_read', 'character_read location_read']);
});

test('version 1 of the SDK refreshes its token at a step-up, and stops', async () => {
	const at = await createAgentSandbox();
	const client = clientVersion1({ at });
	await client.call('list_names');
	await expect(client.call('read_private_fields', { name: 'Mara Vell' })).rejects.toThrow('403 after trying upscoping');
	expect(client.requests).toHaveLength(1);
});

test('version 2 of the SDK is known by a document that the sandbox hosts', async () => {
	const at = await createAgentSandbox();
	const clientMetadataUrl = `${at.base_url}/ws/oauth2/clients/acme`;
	const text = JSON.stringify({
		client_id: clientMetadataUrl,
		client_name: 'Acme agent',
		redirect_uris: ['http://127.0.0.1/callback'],
		token_endpoint_auth_method: 'none'
	});
	await at.controlled('PUT', 'client-documents/acme', { text });
	const client = clientVersion2({ at, clientMetadataUrl });
	expect(JSON.parse(await client.call('list_names'))).toContain('Mara Vell');
	expect(client.requests.map((url) => url.searchParams.get('client_id'))).toEqual([clientMetadataUrl]);
	expect(await at.traffic()).not.toContain('"endpoint":"register"');
});

test('version 2 of the SDK uses a client that is registered already', async () => {
	const at = await createAgentSandbox();
	await at.changeSettings({ dynamic_registration: false });
	const { client_id } = await at.register('installed', ['http://127.0.0.1/callback']);
	const client = clientVersion2({ at, known: { client_id } });
	expect(JSON.parse(await client.call('list_names'))).toContain('Mara Vell');
	expect(client.requests.map((url) => url.searchParams.get('client_id'))).toEqual([client_id]);
});

/** What a client does about a fault, in words of the documentation. */
async function reactionTo(fault: AgentFault, create: typeof clientVersion1): Promise<string> {
	const at = await createAgentSandbox();
	const client = create({ at });
	const isMove = fault === 'moved_server';
	if (isMove) await client.call('list_names');
	const before = client.client?.client_id;
	client.forgetTokens();
	await at.changeSettings({ agent_fault: fault });
	const isStepUp = fault === 'endless_403';
	const result = await client.call(isStepUp ? 'read_private_fields' : 'list_names', { name: 'Mara Vell' }).then(
		() => 'accepted',
		() => 'stopped'
	);
	const signIns = client.requests.length;
	if (isStepUp) return `${result}, ${signIns} sign-in${signIns === 1 ? '' : 's'}`;
	if (!isMove || result !== 'accepted') return result;
	return client.client?.client_id === before ? 'accepted with the old client ID' : 'registered again';
}

test('the documentation says what each client does about each fault', async () => {
	const rows = [...documentation.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)];
	const documented = rows.slice(-agentFaultNames.length).map(([, fault, ...words]) => [fault, ...words]);
	const seen: string[][] = [];
	for (const fault of agentFaultNames)
		seen.push([fault, await reactionTo(fault, clientVersion1), await reactionTo(fault, clientVersion2)]);
	expect(documented).toEqual(seen);
});
