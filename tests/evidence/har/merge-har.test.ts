import { expect, test } from 'vitest';
import type { HarContent } from '#evidence/har/har-reading.ts';
import { hasClient, mergeHar } from '#evidence/har/merge-har.ts';
import { readHar } from '#evidence/har/read-har.ts';
import { toWatchHar } from '#evidence/har/to-watch-har.ts';
import { makeHar, type MadeEntry } from './make-har.ts';

const code = 'aut7Gx0pVq2LwZ8c31cfr';
const authorize: MadeEntry = {
	at: 0,
	url: 'https://auth.example/authorize?response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&state=f0Qk3WbB7sYhT2nM9aA',
	status: 302,
	location: `https://app.example/cb?code=${code}&state=f0Qk3WbB7sYhT2nM9aA`
};
const callback: MadeEntry = {
	at: 1,
	url: `https://app.example/cb?code=${code}&state=f0Qk3WbB7sYhT2nM9aA`,
	status: 302,
	location: 'https://app.example/'
};
const tokenRequest: MadeEntry = {
	at: 1.5,
	url: 'https://auth.example/token',
	headers: { 'user-agent': 'node' },
	form: { grant_type: 'authorization_code', code, client_id: 'app', client_secret: 'a-very-secret-secret' },
	body: { access_token: 'tok_4f8Zq0WmY7pL2sNd', token_type: 'Bearer', expires_in: 60 }
};
const other: MadeEntry = {
	at: 5,
	url: 'https://auth.example/token',
	headers: { 'user-agent': 'node' },
	form: { grant_type: 'authorization_code', code: 'another-code-of-another-user', client_id: 'app' },
	body: { access_token: 'tok_another0WmY7pL2sN', token_type: 'Bearer' }
};
const keys: MadeEntry = { at: 2, url: 'https://auth.example/jwks.json', body: { keys: [{ kty: 'RSA', kid: '1' }] } };

function read(...entries: MadeEntry[]): HarContent {
	const reading = readHar(makeHar(entries));
	if (reading.kind !== 'read') throw new Error(reading.error);
	return reading;
}

test('puts the token request of the client between the requests of the browser, with the same label for the code', () => {
	const { content, unmatched } = mergeHar(read(authorize, callback, keys), read(tokenRequest));
	expect(content.exchanges.map(({ role, source }) => `${role} ${source}`)).toEqual([
		'authorization file',
		'callback file',
		'token watch',
		'keys file'
	]);
	expect(unmatched).toEqual([]);
	expect(content.exchanges[2]?.entry.request.body).toContain('code=[code 1]');
	expect(content.exchanges[2]?.from).toBe('application');
});

test('adds no request of a browser, which a proxy may have recorded too', () => {
	const both = read(authorize, callback, tokenRequest);
	const { content } = mergeHar(read(authorize, callback), both);
	expect(content.exchanges.map(({ role }) => role)).toEqual(['authorization', 'callback', 'token']);
	expect([hasClient(both), hasClient(read(authorize, callback))]).toEqual([true, false]);
});

test('lists and keeps the requests that share no value with the file, with labels of their own', () => {
	const { content, unmatched } = mergeHar(read(authorize, callback), read(tokenRequest, other));
	expect(content.exchanges).toHaveLength(4);
	expect(unmatched.map(({ entry }) => entry.id)).toEqual(['watch-2']);
	expect(unmatched[0]?.entry.request.body).toContain('code=[code 2]');
});

test('replaces the requests of the client when they are added again', () => {
	const file = read(authorize, callback);
	const once = mergeHar(file, read(tokenRequest)).content;
	const twice = mergeHar(once, read(tokenRequest)).content;
	expect(twice.exchanges.map(({ entry }) => entry.id)).toEqual(once.exchanges.map(({ entry }) => entry.id));
});

test('reads the audiences and the paths of a recording of a client unchanged', () => {
	const jwt = `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify({ aud: ['d1e2f3', 'EVE Online'] })).toString('base64url')}.c2ln`;
	const call: MadeEntry = {
		at: 2,
		url: 'https://api.example/v1/q7Zk9xZ4kR0mZ8tYw5bNcL2eUoAb/orders',
		headers: { 'user-agent': 'node', authorization: `Bearer ${jwt}` },
		status: 401
	};
	const first = read(tokenRequest, call);
	const again = readHar(JSON.stringify(toWatchHar(first, '1')));
	if (again.kind !== 'read') throw new Error(again.error);
	expect(again.exchanges[1]?.tokens[0]?.claims.aud).toEqual(['d1e2f3', 'EVE Online']);
	expect(again.exchanges[1]?.entry.request.target).toBe('/v1/[removed]/orders');
	expect(again.findings.find(({ id }) => id === 'cause.token_rejected')?.text).toContain('d1e2f3, EVE Online');
});
