import { describe, expect, test } from 'vitest';
import { revokeAndDelete } from '#client/oauth/revocation.ts';
import { errorCode, offline } from '../test-browser.ts';
import { TestCore } from './test-core.ts';
import { down } from '../test-service.ts';

const path = '/ws/v2.0/character/Mara%20Vell';
const online = { scope: ['character_read'] };
async function signedIn(options: Parameters<TestCore['signIn']>[0] = offline) {
	const core = new TestCore();
	const { service } = core;
	const tokenSet = await core.signIn(options);
	service.requests.length = 0;
	const request = { tokenSetId: tokenSet.id };
	const resources = core.createResourceClient();
	const call = () => resources.get(path, request);
	return { core, service, tokenSet, call, stored: () => core.store.get(tokenSet.id) };
}

describe('one refresh for all callers', () => {
	test('20 calls in each of two tabs with a rejected token send one refresh, and all succeed', async () => {
		const { core, service, tokenSet } = await signedIn();
		service.ahead += 4_000_000;
		const tabs = [core.tokens, core.createTokenManager()].map((tokens) =>
			core.createResourceClient({ tokens, now: () => 0, throttle: () => false })
		);
		// Both tabs believe that the token is valid and find out by 401.
		const stale = { ...tokenSet, expiresAt: null };
		await core.store.update(tokenSet.id, () => stale);
		const calls = tabs.flatMap((tab) => Array.from({ length: 20 }, () => tab.get(path, { tokenSetId: tokenSet.id })));
		const statuses = (await Promise.all(calls)).map(({ status }) => status);
		expect(statuses).toEqual(Array<number>(40).fill(200));
		expect(service.count('/token/')).toBe(1);
		expect(service.count('Vell')).toBe(80);
	});

	test('the same before the expiry, with a slow response', async () => {
		const { core, service, tokenSet } = await signedIn();
		service.time += 3_920_000 - 30_000;
		let respond = (): void => undefined;
		const slow = new Promise<undefined>((resolve) => (respond = () => resolve(undefined)));
		service.intercept = ({ url }) => (url.pathname.endsWith('/token/') ? slow : undefined);
		const other = core.createTokenManager();
		const tokens = [core.tokens, other].flatMap((one) =>
			Array.from({ length: 20 }, () => one.getAccessToken(tokenSet.id))
		);
		await expect.poll(() => service.count('/token/')).toBe(1);
		respond();
		expect(new Set(await Promise.all(tokens)).size).toBe(1);
		expect(service.count('/token/')).toBe(1);
		expect(core.events.map(({ type }) => type)).toContain('refresh_skipped');
	});

	test('is shared by the calls of a tab, and reported as its own', async () => {
		const { core, service, tokenSet } = await signedIn();
		const refreshes = Array.from({ length: 20 }, () => core.tokens.refresh(tokenSet.id, tokenSet.access_token));
		expect(new Set(await Promise.all(refreshes)).size).toBe(1);
		expect(service.count('/token/')).toBe(1);
		expect(core.events.map(({ type }) => type)).not.toContain('refresh_skipped');
	});

	test('is one refresh for each call when sharing is turned off', async () => {
		const { core, service, tokenSet } = await signedIn();
		const tokens = core.createTokenManager({ sharesRefreshes: () => false });
		service.ahead += 4_000_000;
		await core.store.update(tokenSet.id, () => ({ ...tokenSet, expiresAt: null }));
		const resources = core.createResourceClient({ tokens, now: () => 0, throttle: () => false });
		const calls = Array.from({ length: 20 }, () => resources.get(path, { tokenSetId: tokenSet.id }));
		expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
		expect(service.count('/token/')).toBe(20);
	});

	test('keeps the refresh token, which the service issues only once', async () => {
		const { tokenSet, core, stored } = await signedIn();
		await core.tokens.refresh(tokenSet.id, tokenSet.access_token);
		expect(await stored()).toMatchObject({ refresh_token: tokenSet.refresh_token, refreshCount: 1 });
	});

	test('takes over another refresh token and another scope', async () => {
		const { tokenSet, core, service } = await signedIn();
		service.intercept = () =>
			Response.json({ access_token: 'a', token_type: 'OAuth', refresh_token: 'r', scope: 'location_read' });
		const refreshed = await core.tokens.refresh(tokenSet.id, tokenSet.access_token);
		expect(refreshed).toMatchObject({ access_token: 'a', refresh_token: 'r', scope: ['location_read'] });
	});

	test('ends the token set if access was revoked, after one refresh, and sends nothing more', async () => {
		const { core, service, tokenSet, call, stored } = await signedIn();
		await service.revoke(tokenSet.refresh_token ?? '');
		const tabs = [core.tokens, core.createTokenManager()].map((tokens) => core.createResourceClient({ tokens }));
		const codes = tabs.flatMap((tab) =>
			Array.from({ length: 5 }, () => errorCode(tab.get(path, { tokenSetId: tokenSet.id })))
		);
		expect(new Set(await Promise.all(codes))).toEqual(new Set(['access_revoked']));
		expect(service.count('/token/')).toBe(1);
		const sent = service.requests.length;
		expect(await errorCode(call())).toBe('access_revoked');
		expect(service.requests).toHaveLength(sent);
		expect(await stored()).toMatchObject({ ended: 'access_revoked', access_token: '', refresh_token: null });
	});
});

describe('a refresh that fails', () => {
	test('is not repeated by waiting calls, keeps the refresh token, and is delayed longer each time', async () => {
		const { core, service, tokenSet, stored } = await signedIn();
		service.time += 4_000_000;
		service.intercept = () => new Response('', { status: 503 });
		const get = () => errorCode(core.tokens.getAccessToken(tokenSet.id));
		const codes = await Promise.all(Array.from({ length: 20 }, get));
		expect(new Set(codes)).toEqual(new Set(['refresh_failed']));
		expect(service.count('/token/')).toBe(1);
		for (const delay of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
			const attempts = service.count('/token/');
			service.time += delay - 1;
			await get();
			expect(service.count('/token/')).toBe(attempts);
			service.time += 1;
			await get();
			expect(service.count('/token/')).toBe(attempts + 1);
		}
		expect(await stored()).toMatchObject({ ended: null, refresh_token: tokenSet.refresh_token });
		service.intercept = undefined;
		service.time += 60_000;
		expect(await get()).toBe('none');
		expect(await stored()).toMatchObject({ refreshFailures: 0 });
	});

	test('does not fail a call while the old token works', async () => {
		const { core, service, tokenSet, call } = await signedIn();
		service.time += 3_920_000 - 30_000;
		service.intercept = ({ url }) => (url.pathname.endsWith('/token/') ? down() : undefined);
		expect((await call()).status).toBe(200);
		expect(service.count('/token/')).toBe(1);
		expect(await errorCode(core.tokens.getAccessToken(tokenSet.id))).toBe('none');
		expect(service.count('/token/')).toBe(1);
	});

	test('does not end the token set if the client credentials are wrong', async () => {
		const { core, service, tokenSet, stored } = await signedIn();
		service.time += 4_000_000;
		service.intercept = () => Response.json({ error: 'invalid_client' }, { status: 401 });
		expect(await errorCode(core.tokens.getAccessToken(tokenSet.id))).toBe('invalid_client');
		expect(await stored()).toMatchObject({ ended: null, refresh_token: tokenSet.refresh_token });
	});

	test('does not restore a token set that was deleted meanwhile', async () => {
		const { core, service, tokenSet, stored } = await signedIn();
		service.intercept = async () => {
			await core.store.update(tokenSet.id, () => undefined);
			return undefined;
		};
		expect(await errorCode(core.tokens.refresh(tokenSet.id, tokenSet.access_token))).toBe('signed_out');
		expect(await stored()).toBeUndefined();
	});
});

describe('lifetimes', () => {
	test('refreshes tokens of 60 seconds once in 54 seconds', async () => {
		const core = new TestCore();
		await core.service.control('PATCH', '/control/settings', { lifetimes: { access_token: 60 } });
		const { id } = await core.signIn();
		for (let second = 0; second < 540; second += 1) {
			core.service.time += 1000;
			await core.tokens.getAccessToken(id);
		}
		expect(core.service.count('/token/') - 1).toBe(10);
	});

	test('ends online access when its token expires, without a refresh', async () => {
		const { service, tokenSet, call, stored } = await signedIn(online);
		expect(tokenSet.refresh_token).toBeNull();
		service.time += 3_900_000;
		expect((await call()).status).toBe(200);
		service.time += 20_000;
		expect(await errorCode(call())).toBe('session_expired');
		expect(service.count('/token/')).toBe(0);
		expect(await stored()).toMatchObject({ ended: 'session_expired', access_token: '' });
	});

	test('refreshes an expired token before the call', async () => {
		const { service, call } = await signedIn();
		service.time += 9 * 3_600_000;
		expect((await call()).status).toBe(200);
		expect([service.count('/token/'), service.count('Vell')]).toEqual([1, 1]);
	});
});

describe('saving', () => {
	test('replaces an ended token set of the same user', async () => {
		const { core, service, tokenSet } = await signedIn(online);
		service.time += 4_000_000;
		await errorCode(core.tokens.getAccessToken(tokenSet.id));
		const again = await core.signIn({ ...online, tokenSetId: tokenSet.id });
		expect(again).toMatchObject({ id: tokenSet.id, ended: null });
	});

	test('never replaces a token set that works', async () => {
		const { core, tokenSet, stored } = await signedIn();
		const other = await core.signIn({ ...offline, tokenSetId: tokenSet.id }, 'player-two');
		expect(other.id).not.toBe(tokenSet.id);
		expect(await stored()).toEqual(tokenSet);
		expect(await core.store.get(other.id)).toMatchObject({ access_token: other.access_token });
	});
});

test('a token set with more permissions replaces the one that was extended, and keeps its refresh token', async () => {
	const { core, tokenSet, stored } = await signedIn();
	const scope = [...tokenSet.scope, 'location_read'];
	const extended = await core.signIn({ ...offline, scope, tokenSetId: tokenSet.id });
	expect(extended).toMatchObject({ id: tokenSet.id, scope, refresh_token: tokenSet.refresh_token });
	expect(await stored()).toEqual(extended);
});

describe('revocation', () => {
	const signOut = ({ tokens, provider, service, onEvent }: TestCore, id: string) =>
		revokeAndDelete(id, tokens, provider, { fetch: service.fetch, onEvent });

	test('revokes access at the service and deletes the tokens', async () => {
		const { core, service, tokenSet, stored } = await signedIn();
		expect(await signOut(core, tokenSet.id)).toBe('revoked');
		expect(await stored()).toBeUndefined();
		expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
		const authorization = `OAuth ${tokenSet.access_token}`;
		const response = await service.fetch(`${service.baseUrl}${path}`, { headers: { authorization } });
		expect(response.status).toBe(401);
	});

	test('reports access that was revoked before', async () => {
		const { core, service, tokenSet, stored } = await signedIn();
		await service.revoke(tokenSet.refresh_token ?? '');
		expect(await signOut(core, tokenSet.id)).toBe('already_revoked');
		expect(await stored()).toBeUndefined();
	});

	test('reports access that a refresh has found revoked, without another request', async () => {
		const { core, service, tokenSet } = await signedIn();
		await service.revoke(tokenSet.refresh_token ?? '');
		await errorCode(core.tokens.refresh(tokenSet.id, tokenSet.access_token));
		service.requests.length = 0;
		expect(await signOut(core, tokenSet.id)).toBe('already_revoked');
		expect(service.requests).toEqual([]);
	});

	test('deletes online access without a request: there is nothing to revoke by', async () => {
		const { core, service, tokenSet, stored } = await signedIn(online);
		expect(await signOut(core, tokenSet.id)).toBe('not_revocable');
		expect([service.requests, await stored()]).toEqual([[], undefined]);
		expect(core.events).toContainEqual({ type: 'revocation_skipped', tokenSetId: tokenSet.id });
	});

	test.each([
		['no response', down, 'no_response'],
		['a server error', () => new Response('', { status: 500 }), 'server_error'],
		['an error code', () => Response.json({ error: 'invalid_client' }, { status: 400 }), 'invalid_client'],
		['an HTML page', () => new Response('<p>', { status: 404 }), 'unexpected_response']
	])('keeps the tokens after %s', async (_, intercept, code) => {
		const { core, service, tokenSet, stored } = await signedIn();
		service.intercept = intercept;
		expect(await errorCode(signOut(core, tokenSet.id))).toBe(code);
		expect(await stored()).toEqual(tokenSet);
	});

	test('waits for a refresh under way, which does not restore the tokens', async () => {
		const { core, tokenSet, stored } = await signedIn();
		const refresh = core.tokens.refresh(tokenSet.id, tokenSet.access_token);
		expect(await signOut(core, tokenSet.id)).toBe('revoked');
		await refresh;
		expect(await stored()).toBeUndefined();
	});
});

test('no event contains a secret', async () => {
	const { core, service, tokenSet } = await signedIn();
	const refreshed = await core.tokens.refresh(tokenSet.id, tokenSet.access_token);
	const { url, state } = await core.start();
	const params = await service.approve(url);
	await core.callback(params);
	const text = JSON.stringify(core.events);
	const secrets = [tokenSet.access_token, tokenSet.refresh_token, refreshed.access_token, state, params.get('code')];
	for (const secret of [...secrets, 'viewer-secret']) expect(text).not.toContain(secret);
});
