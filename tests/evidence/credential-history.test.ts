import { expect, test } from 'vitest';
import { CredentialHistory } from '#evidence/credential-history.ts';
import { createTestService } from '../service/test-service.ts';
import { readEntries } from '../features/inspector/entries.ts';

test('knows which exchange issued, used and ended a code, and what was issued for it', async () => {
	const at = await createTestService().sandbox();
	const user = at.user();
	const code = await user.code(at.viewer, { access_type: 'offline' });
	const { access_token } = (await at.exchange(code)).tokens;
	await at.character(access_token);
	await at.character(access_token, 'Unknown');
	await at.exchange(code);
	const entries = await readEntries(at);
	const history = new CredentialHistory(entries);
	const [grant = '', issues = []] = [...history.grants][0] ?? [];
	expect(issues.map(({ event, entry }) => [event.kind, entry.endpoint])).toEqual([
		['code', 'auth'],
		['access_token', 'token'],
		['refresh_token', 'token']
	]);
	const [codeId = '', tokenId = ''] = issues.map(({ event }) => event.id);
	expect(history.issuedFor(codeId).map(({ event }) => event.kind)).toEqual(['access_token', 'refresh_token']);
	expect(history.usesOf(tokenId).map(({ endpoint, response }) => [endpoint, response?.status])).toEqual([
		['character', 200]
	]);
	expect(history.endsOf(codeId)[0]?.event.reason).toBe('exchanged');
	const [end] = history.endsOf(tokenId);
	expect([end?.event.kind, end?.event.reason, end?.entry]).toEqual(['family', 'replayed', entries.at(-1)]);
	expect([history.issueOf(grant), history.endsOf(grant)]).toEqual([undefined, []]);
});

test('knows the end of a code whose issue the log no longer contains', async () => {
	const at = await createTestService().sandbox();
	await at.user().offline();
	const last = (await readEntries(at)).slice(-1);
	const { id = '' } = last[0]?.values.find(({ label }) => label === 'code 1') ?? {};
	const history = new CredentialHistory(last);
	expect([history.issueOf(id), history.endsOf(id).map(({ event }) => event.reason)]).toEqual([
		undefined,
		['exchanged']
	]);
});
