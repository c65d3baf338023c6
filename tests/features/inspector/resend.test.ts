import { expect, test } from 'vitest';
import { draftOf, findSent, labelsOf, ownValues, requestOf } from '#features/inspector/resend.ts';
import { credentialId } from '#client/control-api/control-api.ts';
import { logged, withBody } from './logged-exchange.ts';

test('a draft has the headers that a browser may send, and names each secret once', () => {
	const draft = draftOf(logged());
	expect(draft.headers).toBe('Content-Type: application/x-www-form-urlencoded');
	expect(labelsOf(draft)).toEqual(['client secret 1', 'code 3']);
	expect(labelsOf({ ...draft, body: 'password=••••' })).toEqual(['••••']);
});

test('secrets are encoded as their place in the request needs', () => {
	const secrets = new Map([['code 3', 'a&b "c"']]);
	const form = requestOf(draftOf(withBody('code=‹code 3 GQVJab…›')), secrets, 'https://tollgate.test');
	expect(form.init.body).toBe('code=a%26b%20%22c%22');
	const draft = {
		method: 'POST',
		target: '/x?code=‹code 3›',
		headers: 'X-Code: ‹code 3›',
		body: '',
		placeholders: new Map([['‹code 3›', 'code 3']])
	};
	expect(requestOf(draft, secrets, 'https://tollgate.test')).toEqual({
		url: 'https://tollgate.test/x?code=a%26b%20%22c%22',
		init: { method: 'POST', headers: [['X-Code', 'a&b "c"']], redirect: 'manual' }
	});
	const json = { ...draft, headers: 'Content-Type: application/json', body: '{"code":"‹code 3›"}' };
	expect(requestOf(json, secrets, 'https://tollgate.test').init.body).toBe('{"code":"a&b \\"c\\""}');
});

test('a text of the client that looks like a placeholder is sent as it is', () => {
	const marker = '‹code 3 GQVJab…›';
	const entry = withBody(`code=${marker}`);
	const draft = draftOf({ ...entry, request: { ...entry.request, target: `/x?${marker}` } });
	expect([draft.target, draft.body]).toEqual([`/x?${marker}`, 'code=‹code 3 GQVJab…*›']);
	expect(labelsOf(draft)).toEqual(['code 3']);
	const { url, init } = requestOf(draft, new Map([['code 3', 'the code']]), 'https://tollgate.test');
	expect([url, init.body]).toEqual([`https://tollgate.test/x?${marker}`, 'code=the%20code']);
});

test('a request goes to the origin, whatever its target begins with', () => {
	for (const target of ['//evil.example/x', '@evil.example/x', 'https://evil.example/x']) {
		const { url } = requestOf(
			{ method: 'GET', target, headers: '', body: '', placeholders: new Map() },
			new Map(),
			'https://tollgate.test'
		);
		expect(new URL(url).origin).toBe('https://tollgate.test');
	}
});

test('finds the new exchange by its id, or by method and path after a redirect', () => {
	const entries = [logged({ seq: 1, id: 'a' }), logged({ seq: 2, id: 'b' }), logged({ seq: 3, id: 'c' })];
	const sent = { seq: 1, method: 'POST', target: '/ws/oauth2/token/?x=1' };
	expect(findSent(entries, { ...sent, id: 'c' })?.id).toBe('c');
	expect(findSent(entries, { ...sent, id: undefined })?.id).toBe('b');
	expect(findSent(entries, { ...sent, seq: 3, id: undefined })).toBeUndefined();
});

test('fills in what the clients of this browser hold: tokens by their digest, the secret of the authenticated client', async () => {
	const own = [
		{ client_id: 'character-viewer', client_secret: 'viewer-secret', tokens: ['token-of-the-viewer'] },
		{ client_id: 'pocket-companion', client_secret: 'companion-secret', tokens: [] }
	];
	const token = { label: 'access token 1', preview: '', id: await credentialId('token-of-the-viewer') };
	const values = [...logged().values, token];
	expect([...(await ownValues({ values, client_id: 'character-viewer' }, own))]).toEqual([
		['client secret 1', 'viewer-secret'],
		['access token 1', 'token-of-the-viewer']
	]);
	expect([...(await ownValues({ values: logged().values, client_id: undefined }, own))]).toEqual([]);
	expect([...(await ownValues({ values: [token], client_id: 'other' }, []))]).toEqual([]);
});
