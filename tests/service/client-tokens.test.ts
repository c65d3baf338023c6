import { expect, test } from 'vitest';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import { grantKey, type Records } from '#service/sandbox/records.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { Sandbox } from '../conformance/sandbox.ts';
import { allRules } from '#evidence/all-rules.ts';
import { evaluateRules } from '#evidence/rule.ts';
import { buildRun } from '#evidence/run.ts';
import { readEntries } from '../features/inspector/entries.ts';
import { createTestService } from './test-service.ts';

const client_id = 'character-viewer';

/** A sandbox in which the viewer has an access token for itself. */
async function withClientToken(dialect: 'specification' | 'standard') {
	const store = createMemoryStore<Records>(recordLimits);
	const tested = createTestService({ store });
	const at = await tested.sandbox();
	await at.controlled('PATCH', 'settings', { dialect });
	const now = () => tested.clock;
	const records = store.forSandbox(at.id, { sandbox: now, real: now });
	const [token, expires] = ['a'.repeat(43), tested.clock + 60_000];
	const scopes = ['character_read'];
	await records.update('token_family', 'family', () => ({ expires }));
	await records.update('grant', grantKey(undefined, client_id), () => {
		return { id: 'grant', client_id, scopes, offline: false, since: 0, refresh: [] };
	});
	const claims = { client_id, grant: 'grant', family: 'family', scopes, expires };
	await records.update('access_token', tested.options.digest(token), () => claims);
	return { at, token, scheme: dialect === 'standard' ? 'Bearer' : 'OAuth' };
}

function read(at: Sandbox, path: string, scheme: string, token: string) {
	return at.get(path, 'Authorization', `${scheme} ${token}`);
}

test.each(['specification', 'standard'] as const)(
	'a token without a user reads what is open of all characters: %s',
	async (dialect) => {
		const { at, token, scheme } = await withClientToken(dialect);
		const response = await read(at, '/ws/v2.0/character/Mara%20Vell', scheme, token);
		expect(response.status).toBe(200);
		expect(Object.keys(Object(response.json()))).toEqual(['name', 'race', 'class', 'level', 'guild']);
		const entry = await at.logged(response);
		expect([entry.client_id, entry.username, entry.grant]).toEqual([client_id, undefined, 'grant']);
		expect(entry.trace.find(({ id }) => id === 'access_token.owners_exist')?.detail).toBe(
			'character-viewer for itself: character_read'
		);
	}
);

test('user info rejects a token without a user, and says why', async () => {
	const { at, token, scheme } = await withClientToken('standard');
	const response = await read(at, '/ws/oauth2/userinfo', scheme, token);
	expect([response.status, response.error]).toEqual([403, 'insufficient_scope']);
	expect(response.header('www-authenticate')).toContain('scope="openid"');
	const failed = (await at.logged(response)).trace.at(-1);
	expect([failed?.id, failed?.cause]).toEqual(['userinfo.scope_granted', 'no_user']);
});

test('introspection of a token without a user has no subject', async () => {
	const { at, token } = await withClientToken('standard');
	const response = await at.post('/ws/oauth2/introspect', { token, ...at.viewer });
	expect(response.json()).toMatchObject({ active: true, client_id, scope: 'character_read', token_type: 'Bearer' });
	expect(response.json()).not.toHaveProperty('sub');
	expect(response.json()).not.toHaveProperty('username');
});

test('the owner of the sandbox ends the access that an application has for itself', async () => {
	const { at, token, scheme } = await withClientToken('standard');
	const { grants } = Object((await at.controlled('GET', 'credentials')).json());
	expect(grants).toMatchObject([{ id: 'grant', client_id, access_tokens: [{ scopes: ['character_read'] }] }]);
	expect(grants[0]).not.toHaveProperty('username');
	expect((await at.controlled('DELETE', 'credentials/grants/grant')).status).toBe(200);
	expect((await read(at, '/ws/v2.0/character/Mara%20Vell', scheme, token)).status).toBe(401);
});

test('a snapshot keeps a token without a user', async () => {
	const { at, token, scheme } = await withClientToken('standard');
	const snapshot = (await at.controlled('GET', 'snapshot')).json();
	await at.controlled('DELETE', 'credentials/grants/grant');
	expect((await at.controlled('PUT', 'snapshot', snapshot)).status).toBe(200);
	expect((await read(at, '/ws/v2.0/character/Mara%20Vell', scheme, token)).status).toBe(200);
});

test('a deleted application loses the access that it has for itself', async () => {
	const { at, token, scheme } = await withClientToken('standard');
	expect((await at.controlled('DELETE', `applications/${client_id}`)).status).toBe(200);
	expect((await read(at, '/ws/v2.0/character/Mara%20Vell', scheme, token)).status).toBe(401);
	expect(Object((await at.controlled('GET', 'credentials')).json()).grants).toEqual([]);
});

test('the rules of the exam leave out what an application does for itself', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard' });
	const { client_id, client_secret } = at.viewer;
	const { tokens } = await at.token({ grant_type: 'client_credentials', client_id, client_secret });
	await read(at, '/ws/v2.0/character/Mara%20Vell', 'Bearer', tokens.access_token);
	await read(at, '/ws/v2.0/character/Mara%20Vell', 'Bearer', 'unknown');
	const run = buildRun(await readEntries(at));
	expect([run.tokenRequests.length, run.exchanges.length, run.calls.length]).toEqual([0, 0, 1]);
	const verdicts = evaluateRules(allRules, run).filter(({ verdict }) => verdict === 'failed');
	expect(verdicts).toEqual([]);
});
