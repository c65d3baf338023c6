import { describe, expect, test } from 'vitest';
import { pocketCompanion } from '#client/demo-clients.ts';
import { outOfBandUri } from '#client/oauth/client-registration.ts';
import { ClientError, toClientError } from '#client/oauth/client-error.ts';
import { errorCode, offline } from '../test-browser.ts';
import { TestCore } from './test-core.ts';
import { down, TestService } from '../test-service.ts';

describe('startAuthorization', () => {
	test('sends the parameters of section 2.1, with state and PKCE', async () => {
		const core = new TestCore();
		const scope = ['character_read', 'location_read', 'character_read'];
		const { url } = await core.start({ scope, access_type: 'offline', renew_previously_granted: true });
		expect(`${url.origin}${url.pathname}`).toBe('https://service.test/ws/oauth2/auth/');
		expect([...url.searchParams.keys()]).toEqual([
			'response_type',
			'client_id',
			'redirect_uri',
			'scope',
			'state',
			'access_type',
			'renew_previously_granted',
			'code_challenge',
			'code_challenge_method'
		]);
		expect(Object.fromEntries(url.searchParams)).toMatchObject({
			response_type: 'code',
			client_id: 'character-viewer',
			redirect_uri: 'https://service.test/viewer/callback',
			scope: 'character_read location_read',
			access_type: 'offline',
			renew_previously_granted: 'yes',
			code_challenge_method: 'S256'
		});
	});

	test('sends no access_type for an installed application and no challenge without PKCE', async () => {
		const registration = pocketCompanion(outOfBandUri);
		const { url } = await new TestCore(new TestService(), { registration }).start({ ...offline, pkce: false });
		expect([...url.searchParams.keys()]).toEqual(['response_type', 'client_id', 'redirect_uri', 'scope', 'state']);
	});

	test('uses a new state of 256 random bits each time', async () => {
		const core = new TestCore();
		const states = await Promise.all(Array.from({ length: 100 }, async () => (await core.start()).state));
		expect(new Set(states).size).toBe(100);
		for (const state of states) expect(state).toMatch(/^[\w-]{43}$/);
	});

	test('keeps the user here if the request cannot be saved', async () => {
		const core = new TestCore();
		core.pendingStore.update = () => Promise.reject(new Error('disk full'));
		await expect(core.start()).rejects.toThrow('disk full');
	});
});

describe('handleCallback', () => {
	test('exchanges the code once, with the verifier', async () => {
		const core = new TestCore();
		const { url } = await core.start();
		const tokenSet = await core.callback(await core.service.approve(url));
		expect(tokenSet).toMatchObject({ scope: ['character_read'], access_type: 'offline', ended: null });
		expect(core.service.requests).toHaveLength(1);
		expect(Object.fromEntries(core.service.requests[0]?.form ?? [])).toEqual({
			grant_type: 'authorization_code',
			code: expect.any(String),
			client_id: 'character-viewer',
			client_secret: 'viewer-secret',
			redirect_uri: 'https://service.test/viewer/callback',
			code_verifier: expect.stringMatching(/^[\w-]{43}$/)
		});
	});

	test('sends no verifier without PKCE', async () => {
		const core = new TestCore();
		await core.signIn({ ...offline, pkce: false });
		expect(core.service.requests[0]?.form.has('code_verifier')).toBe(false);
	});

	test('asks for offline access in the token request of an installed application', async () => {
		const registration = pocketCompanion(outOfBandUri);
		const core = new TestCore(new TestService(), { registration });
		const { url, state } = await core.start();
		const code = await core.service.approveOutOfBand(url);
		expect(await core.callback({ code, state })).toMatchObject({ refresh_token: expect.any(String) });
		expect(core.service.requests[0]?.form.get('access_type')).toBe('offline');
	});

	test.each([
		['a missing state', { code: 'x' }, 'state_missing'],
		['an empty state', { code: 'x', state: '' }, 'state_missing'],
		['an unknown state', { code: 'x', state: 'A'.repeat(43) }, 'state_unknown']
	])('rejects %s and sends nothing', async (_, params, code) => {
		const core = new TestCore();
		await core.start();
		expect(await errorCode(core.callback(params))).toBe(code);
		expect(core.service.requests).toEqual([]);
	});

	test.each([
		['a code and an error', { code: 'x', error: 'access_denied' }, 'ambiguous_response'],
		['a code and a wrapped response', { code: 'x', response: 'y' }, 'ambiguous_response'],
		['another issuer', { code: 'x', iss: 'https://evil.test' }, 'issuer_mismatch'],
		['neither code nor error', {}, 'empty_response'],
		['an empty code', { code: '' }, 'empty_response'],
		['a denial', { error: 'access_denied' }, 'access_denied'],
		['an unknown error', { error: 'odd_thing' }, 'odd_thing']
	])('rejects %s and sends nothing', async (_, params, code) => {
		const core = new TestCore();
		const { state } = await core.start();
		expect(await errorCode(core.callback({ state, ...params }))).toBe(code);
		expect(core.service.requests).toEqual([]);
		expect(core.events.at(-1)).toMatchObject({ type: 'callback_rejected', error: { code } });
	});

	test.each(['code', 'error'])('rejects a response with %s twice', async (name) => {
		const core = new TestCore();
		const { state } = await core.start();
		const params = new URLSearchParams([
			['state', state],
			[name, 'x'],
			[name, 'y']
		]);
		expect(await errorCode(core.callback(params))).toBe('ambiguous_response');
		expect(core.service.requests).toEqual([]);
	});

	test('does not use up a request for a response with two states', async () => {
		const core = new TestCore();
		const { url, state } = await core.start();
		const params = new URLSearchParams([
			['code', 'x'],
			['state', state],
			['state', 'other']
		]);
		expect(await errorCode(core.callback(params))).toBe('ambiguous_response');
		expect(await errorCode(core.callback(await core.service.approve(url)))).toBe('none');
	});

	test('accepts the issuer of the same service', async () => {
		const core = new TestCore();
		const { url } = await core.start();
		const params = await core.service.approve(url);
		params.set('iss', 'https://service.test');
		expect(await errorCode(core.callback(params))).toBe('none');
	});

	test('accepts a state once, even if four callbacks race for it', async () => {
		const core = new TestCore();
		const { url } = await core.start();
		const params = await core.service.approve(url);
		const codes = await Promise.all([1, 2, 3, 4].map(() => errorCode(core.callback(params))));
		expect(codes.toSorted()).toEqual(['none', 'state_used', 'state_used', 'state_used']);
		expect(core.service.requests).toHaveLength(1);
	});

	test('rejects a response in another tab, and still accepts it in its own', async () => {
		const core = new TestCore();
		const { url } = await core.start(offline, 'tab-1');
		const params = await core.service.approve(url);
		expect(await errorCode(core.callback(params, 'tab-2'))).toBe('state_other_session');
		expect(core.service.requests).toEqual([]);
		expect(await errorCode(core.callback(params, 'tab-1'))).toBe('none');
	});

	test('rejects a response on the redirect URI of another service, and sends the code nowhere', async () => {
		const core = new TestCore();
		const other = new TestCore(new TestService('https://other.test'), { pendingStore: core.pendingStore });
		const { url } = await core.start();
		expect(await errorCode(other.callback(await core.service.approve(url)))).toBe('issuer_mismatch');
		expect([...core.service.requests, ...other.service.requests]).toEqual([]);
	});

	test('keeps nothing that could be exchanged after the callback', async () => {
		const core = new TestCore();
		const { state } = await core.start();
		await errorCode(core.callback({ state, error: 'access_denied' }));
		expect(await core.pendingStore.get(state)).toMatchObject({ used: true, code_verifier: null });
	});

	test('accepts a response while the service waits for the user and the code lives: 25 minutes', async () => {
		const core = new TestCore();
		const [first, second] = [await core.start(), await core.start()];
		core.service.time += 14 * 60_000;
		const params = await core.service.approve(first.url);
		core.service.time += 9 * 60_000;
		expect(await errorCode(core.callback(params))).toBe('none');
		core.service.time += 2 * 60_000;
		expect(await errorCode(core.callback({ state: second.state, code: 'x' }))).toBe('state_unknown');
	});

	test('never sends a code again if the exchange got no response', async () => {
		const core = new TestCore();
		const { url } = await core.start();
		const params = await core.service.approve(url);
		core.service.intercept = down;
		expect(await errorCode(core.callback(params))).toBe('exchange_unknown');
		core.service.intercept = undefined;
		expect(await errorCode(core.callback(params))).toBe('state_used');
		expect(core.service.requests).toHaveLength(1);
	});

	test.each([
		[503, 'server_error'],
		[404, 'unexpected_response'],
		[302, 'unexpected_response']
	])('uses up the code if the token endpoint responds %i without an error code', async (status, code) => {
		const core = new TestCore();
		const { url } = await core.start();
		const params = await core.service.approve(url);
		core.service.intercept = () => new Response('<!doctype html>', { status });
		expect(await errorCode(core.callback(params))).toBe(code);
		expect(await errorCode(core.callback(params))).toBe('state_used');
		expect(core.service.requests).toHaveLength(1);
	});

	test('names the status and the request of a response without an error code', async () => {
		const core = new TestCore();
		const { url } = await core.start();
		const params = await core.service.approve(url);
		const headers = { 'x-request-id': 'request-1' };
		core.service.intercept = () => new Response('{}', { status: 503, headers });
		await expect(core.callback(params)).rejects.toMatchObject({
			message: 'The token endpoint returned 503.',
			status: 503,
			requestId: 'request-1'
		});
	});

	test('reports the error codes of the service', async () => {
		const core = new TestCore();
		const { url, state } = await core.start();
		await core.service.approve(url);
		await expect(core.callback({ state, code: 'A'.repeat(43) })).rejects.toMatchObject({
			code: 'invalid_grant',
			status: 400,
			requestId: expect.any(String)
		});
	});

	test('makes the error description safe to show', async () => {
		const core = new TestCore();
		const { state } = await core.start();
		const error_description = `<img onerror=x>\u202e\n${'a'.repeat(900)}`;
		const thrown = await core.callback({ state, error: 'invalid_scope', error_description }).catch(String);
		expect(thrown).toMatch(/^ClientError: <img onerror=x> a{180,}…$/);
	});

	test('accepts a pasted code only with PKCE, and does not claim that state was checked', async () => {
		const registration = pocketCompanion(outOfBandUri);
		const core = new TestCore(new TestService(), { registration });
		const plain = await core.start({ ...offline, pkce: false });
		const manual = { codeSource: 'manual' } as const;
		const code = await core.service.approveOutOfBand(plain.url);
		expect(await errorCode(core.callback({ state: plain.state, code }, 'tab-1', manual))).toBe('pkce_required');
		expect(core.service.requests).toEqual([]);
		const { url, state } = await core.start();
		await core.callback({ state, code: await core.service.approveOutOfBand(url) }, 'tab-1', manual);
		expect(core.events.map(({ type }) => type)).not.toContain('state_verified');
		expect(core.events.map(({ type }) => type)).toContain('manual_code_received');
	});

	test('sends no code over plain HTTP to another machine', async () => {
		const core = new TestCore(new TestService('http://service.test'));
		const { state } = await core.start();
		expect(await errorCode(core.callback({ state, code: 'x' }))).toBe('unexpected_response');
		expect(core.service.requests).toEqual([]);
	});
});

test('converts whatever was thrown to a client error with one safe line', () => {
	const error = new ClientError('x');
	expect(toClientError(error)).toBe(error);
	expect(toClientError(new Error('a\nb\u202e'))).toMatchObject({ code: 'client_error', message: 'a b' });
	expect(toClientError('text')).toMatchObject({ code: 'client_error', message: 'text' });
});
