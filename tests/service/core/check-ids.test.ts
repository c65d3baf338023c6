import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { providerChecks } from '#api/check-table/check-table.ts';
import { checks } from '#api/checks.ts';
import { noResponse } from '#api/message.ts';
import { createEndpoints } from '#service/endpoints.ts';
import { unknownSandbox, unsimulatedPath } from '#service/not-found.ts';
import { createAgentServer } from '#service/resource/agent-server.ts';
import { SandboxRegistry } from '#service/sandbox-registry.ts';
import { createTestService } from '../test-service.ts';

const endpoints = Object.entries({
	...createEndpoints(new SandboxRegistry(createTestService().options), () => Promise.resolve(noResponse)),
	agentServer: createAgentServer(() => Promise.resolve({ status: 200, headers: [], body: '' })),
	unknownSandbox,
	unsimulatedPath
});

const providerFolder = join(import.meta.dirname, '../../../src/service/provider');
const providerSource = readdirSync(providerFolder)
	.map((file) => readFileSync(join(providerFolder, file), 'utf8'))
	.join('\n');

test('every check has a well-formed id, a title, and a section of the specification, of an RFC, a draft or of OpenID Connect', () => {
	for (const [id, { title, section = '' }] of Object.entries(checks)) {
		expect(id).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z0-9]+(_[a-z0-9]+)*$/);
		expect(title).toMatch(/^\S.*[^.]$/);
		expect(section, id).toMatch(
			/^(?:\d(?:\.\d)?|(?:RFC \d{4}|OIDC Core|CIMD|Form Post Response Mode|RP-Initiated Logout) §\d+(?:\.\d+)*)?$/
		);
	}
});

test('every check of the table is used, and an endpoint has no check twice', () => {
	const used = new Set<string>([
		'fault.not_injected_after_commit',
		'fault.response_changed',
		'pause.released',
		'pause.not_held',
		'provider.request_read'
	]);
	for (const [name, endpoint] of endpoints) {
		const ids = endpoint.checks.map(({ id }) => id);
		expect(new Set(ids).size, name).toBe(ids.length);
		for (const id of ids) used.add(id);
	}
	// Those of providers are added to a trace by what translates their messages.
	for (const id of Object.keys(providerChecks)) if (providerSource.includes(`'${id}'`)) used.add(id);
	expect([...used].sort()).toEqual(Object.keys(checks).sort());
});

test('each cause of a failed code exchange has its own id', async () => {
	const at = await createTestService().sandbox();
	const user = at.user();
	const other = await at.register('web', ['https://other.example/cb']);
	const failed = async (code: string, app = at.viewer, more = {}) => at.failedCheck(await at.exchange(code, app, more));

	expect(await failed('')).toBe('token.code_present');
	expect(await failed('A'.repeat(43))).toBe('token.code_known');
	expect(await failed(await user.code(), { ...other, redirect_uri: at.viewer.redirect_uri })).toBe(
		'token.code_issued_to_client'
	);
	expect(await failed(await user.code(), { ...at.viewer, redirect_uri: 'https://other.example/cb' })).toBe(
		'token.redirect_uri_matches'
	);
	expect(await failed(await user.code(), at.viewer, { code_verifier: 'v'.repeat(43) })).toBe(
		'token.code_verifier_matches'
	);
	const used = await user.code();
	await at.exchange(used);
	expect(await failed(used)).toBe('token.code_not_used');
	const revoked = await user.code();
	await user.revoke();
	expect(await failed(revoked)).toBe('token.grant_active');
	const expired = await user.code();
	await at.advance(601);
	expect(await failed(expired)).toBe('token.code_not_expired');
});
