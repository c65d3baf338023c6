import { expect, test } from 'vitest';
import { createTestService } from '../service/test-service.ts';
import { clientVersion1, clientVersion2 } from './agent-clients.ts';
import type { Sandbox } from './sandbox.ts';

// Unmodified clients of the Model Context Protocol. They know the URL of the server only.

const clients = { 'version 1 of the SDK': clientVersion1, 'version 2 of the SDK': clientVersion2 };

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
