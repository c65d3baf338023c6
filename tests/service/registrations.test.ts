import { expect, it } from 'vitest';
import { codeWithPkce, registerClient } from '../conformance/standard.ts';
import type { App, Sandbox } from '../conformance/sandbox.ts';
import { createTestService } from './test-service.ts';

const redirect_uri = 'https://client.example/callback';

async function openSandbox() {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.changeSettings({ dialect: 'standard', dynamic_registration: true });
	return { tested, at };
}

async function register(from: Sandbox): Promise<App & { readonly status: number }> {
	const response = await registerClient(from, { redirect_uris: [redirect_uri] });
	const { client_id = '', client_secret = '' } = Object(response.json());
	return { client_id, client_secret, redirect_uri, status: response.status };
}

async function registered(at: Sandbox): Promise<string[]> {
	const { applications } = Object((await at.controlled('GET', 'applications')).json());
	return applications.map(({ client_id }: { client_id: string }) => client_id);
}

it('the address that registered the most loses its oldest unused client, and no other address does', async () => {
	const { at } = await openSandbox();
	const honest = await register(at.from('10.0.0.7'));
	const flood: App[] = [];
	for (let count = 0; count < 19; count++) flood.push(await register(at.from('10.6.6.6')));
	const newcomer = await register(at.from('10.0.0.8'));
	expect(newcomer.status).toBe(201);
	const left = await registered(at);
	expect(left).toEqual(expect.arrayContaining([honest.client_id, newcomer.client_id]));
	expect(left).not.toContain(flood[0]?.client_id);
	expect(left).toContain(flood[1]?.client_id);
	expect((await register(at.from('10.6.6.6'))).status).toBe(201);
	const after = await registered(at);
	expect(after).toEqual(expect.arrayContaining([honest.client_id, newcomer.client_id]));
	expect(after).not.toContain(flood[1]?.client_id);
});

it('a client that got a code is never removed for another, and the address that has used all gets 429', async () => {
	const { at } = await openSandbox();
	const used: App[] = [];
	for (let count = 0; count < 20; count++) {
		// Each address registers 20 times within five minutes.
		const app = await register(at.from('10.6.6.6'));
		await codeWithPkce(at.user(), app);
		used.push(app);
	}
	expect(await registered(at)).toEqual(expect.arrayContaining(used.map(({ client_id }) => client_id)));
	expect((await register(at.from('10.6.6.6'))).status).toBe(429);
	// Another address cannot replace them: only the owner can delete a client that is used.
	expect((await register(at.from('10.0.0.8'))).status).toBe(409);
});

it('an unused client expires after an hour, a used one stays', async () => {
	const { tested, at } = await openSandbox();
	const unused = await register(at);
	const used = await register(at);
	await codeWithPkce(at.user(), used);
	tested.clock += 60 * 60 * 1000 - 1000;
	expect(await registered(at)).toEqual(expect.arrayContaining([unused.client_id, used.client_id]));
	tested.clock += 2000;
	const left = await registered(at);
	expect(left).toContain(used.client_id);
	expect(left).not.toContain(unused.client_id);
});

it('the address of a registered client is in no response and no snapshot', async () => {
	const { at } = await openSandbox();
	const { client_id } = await register(at.from('10.6.6.6'));
	for (const path of ['applications', `applications/${client_id}`, 'snapshot', 'preset']) {
		const { text } = await at.controlled('GET', path);
		expect(text).not.toContain('10.6.6.6');
		expect(text).not.toContain('createdBy');
	}
	const snapshot = (await at.controlled('GET', 'snapshot')).json();
	expect((await at.controlled('PUT', 'snapshot', snapshot)).status).toBe(200);
	expect(await registered(at)).toContain(client_id);
});
