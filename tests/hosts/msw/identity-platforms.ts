import { Auth0, KeyCloak, OAuth2RequestError, Okta, Salesforce } from 'arctic';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SetupServer } from 'msw/node';
import { handlers } from '#hosts/library/msw.ts';
import { createService } from '#hosts/library/tollgate.ts';

const as = ['auth0', 'keycloak', 'okta', 'salesforce'];
const verifier = 'a'.repeat(43);
const codeOf = (callback: URL) => callback.searchParams.get('code') ?? '';
const call = (url: string, token: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } });

/**
 * Unmodified clients at Auth0, Keycloak, Okta and Salesforce, with their own service, so that other calls do not use up their limits.
 * @param shown what the tests have shown: rows of the table in the documentation
 */
export function testIdentityPlatforms(server: SetupServer, shown: string[]): void {
	const service = createService();
	beforeAll(() => server.use(...handlers(service, { as })));
	afterAll(() => server.resetHandlers());
	const [client_id, client_secret, redirect_uri] = [
		'character-viewer',
		'viewer-secret',
		`${service.origin}/viewer/callback`
	];
	const credentials = [client_id, client_secret, redirect_uri] as const;

	/** The user follows the link of the client, and allows what it asks. @returns the callback */
	async function follow(url: URL, provider: string): Promise<URL> {
		const body = { username: 'player-one', query: url.search.slice(1), provider };
		const response = await fetch(`${service.origin}/control/authorizations`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body)
		});
		const { location } = await response.json();
		return new URL(location);
	}

	const discover = (issuer: string) => openid.discovery(new URL(issuer), client_id, client_secret);

	/** Signs in with a code verifier. @returns the callback, and what the client compares with it */
	async function signIn(
		config: openid.Configuration,
		provider: string,
		more: Readonly<Record<string, string>>,
		go = follow
	) {
		const code_challenge = await openid.calculatePKCECodeChallenge(verifier);
		const pkce = { code_challenge, code_challenge_method: 'S256' };
		const url = openid.buildAuthorizationUrl(config, { redirect_uri, state: 's0', nonce: 'n0', ...pkce, ...more });
		const callback = await go(url, provider);
		const checks = { expectedNonce: 'n0', expectedState: 's0', pkceCodeVerifier: verifier };
		return { callback, tokens: await openid.authorizationCodeGrant(config, callback, checks) };
	}

	describe('arctic at identity platforms', () => {
		it('refreshes at Auth0 with the same refresh token, and revokes it', async () => {
			const auth0 = new Auth0('example.auth0.com', ...credentials);
			const url = auth0.createAuthorizationURL('s', verifier, ['openid', 'offline_access']);
			const tokens = await auth0.validateAuthorizationCode(codeOf(await follow(url, 'auth0')), verifier);
			expect(tokens.accessToken()).not.toContain('.');
			expect(tokens.accessTokenExpiresInSeconds()).toBe(86_400);
			const user = await call('https://example.auth0.com/userinfo', tokens.accessToken());
			expect(await user.json()).toMatchObject({ sub: expect.stringMatching(/^auth0\|/), nickname: 'player-one' });
			expect(user.headers.get('x-ratelimit-limit')).toBe('10');
			for (let times = 0; times < 2; times += 1)
				expect((await auth0.refreshAccessToken(tokens.refreshToken())).hasRefreshToken()).toBe(false);
			await auth0.revokeToken(tokens.refreshToken());
			// The client reads errors of other responses than 400 and 401 as unknown ones.
			const form = { grant_type: 'refresh_token', refresh_token: tokens.refreshToken(), client_id, client_secret };
			const body = new URLSearchParams(form);
			const ended = await fetch('https://example.auth0.com/oauth/token', { method: 'POST', body });
			expect([ended.status, await ended.json()]).toEqual([403, expect.objectContaining({ error: 'invalid_grant' })]);
			shown.push('| `arctic` | Auth0 | sign-in, call, opaque token, refresh with the same refresh token, revocation |');
		});

		it('gets another refresh token of Keycloak, and unauthorized_client for a wrong secret', async () => {
			const realm = 'https://my.keycloak.org/realms/shop';
			const keycloak = new KeyCloak(realm, ...credentials);
			const url = keycloak.createAuthorizationURL('s', verifier, ['openid', 'profile']);
			const code = codeOf(await follow(url, 'keycloak'));
			const mistaken = new KeyCloak(realm, client_id, 'another-secret', redirect_uri);
			const wrong = mistaken.validateAuthorizationCode(code, verifier);
			await expect(wrong).rejects.toThrow(OAuth2RequestError);
			await expect(wrong).rejects.toMatchObject({ code: 'unauthorized_client' });
			const tokens = await keycloak.validateAuthorizationCode(code, verifier);
			expect(tokens.data).toMatchObject({ refresh_expires_in: 1800, session_state: expect.any(String) });
			const userinfo = `${realm}/protocol/openid-connect/userinfo`;
			expect(await (await call(userinfo, tokens.accessToken())).json()).toMatchObject({ sub: 'player-one' });
			const next = await keycloak.refreshAccessToken(tokens.refreshToken());
			expect(next.refreshToken()).not.toBe(tokens.refreshToken());
			await keycloak.refreshAccessToken(tokens.refreshToken());
			await keycloak.revokeToken(next.refreshToken());
			await expect(keycloak.refreshAccessToken(next.refreshToken())).rejects.toThrow(OAuth2RequestError);
			shown.push(
				'| `arctic` | Keycloak | sign-in, call, refresh with another refresh token, revocation, wrong secret |'
			);
		});

		it('refreshes at Okta with a token that was replaced, and revokes', async () => {
			const okta = new Okta('example.okta.com', 'default', ...credentials);
			const scopes = ['openid', 'profile', 'offline_access'];
			const url = okta.createAuthorizationURL('s', verifier, scopes);
			const tokens = await okta.validateAuthorizationCode(codeOf(await follow(url, 'okta')), verifier);
			const userinfo = 'https://example.okta.com/oauth2/default/v1/userinfo';
			const user = await call(userinfo, tokens.accessToken());
			expect(await user.json()).toMatchObject({ preferred_username: 'player-one' });
			expect(user.headers.get('x-rate-limit-limit')).toBe('1200');
			const next = await okta.refreshAccessToken(tokens.refreshToken(), scopes);
			expect(next.refreshToken()).not.toBe(tokens.refreshToken());
			const again = await okta.refreshAccessToken(tokens.refreshToken(), scopes);
			expect(again.refreshToken()).toBe(next.refreshToken());
			await okta.revokeToken(next.refreshToken());
			const ended = okta.refreshAccessToken(next.refreshToken(), scopes);
			await expect(ended).rejects.toMatchObject({ code: 'invalid_grant' });
			shown.push('| `arctic` | Okta | sign-in, call, refresh twice with one refresh token, revocation |');
		});

		it('cannot say when a token of Salesforce ends, and calls the API where the response says', async () => {
			const salesforce = new Salesforce('login.salesforce.com', ...credentials);
			const url = salesforce.createAuthorizationURL('s', verifier, ['api', 'refresh_token']);
			const code = codeOf(await follow(url, 'salesforce'));
			const tokens = await salesforce.validateAuthorizationCode(code, verifier);
			expect(() => tokens.accessTokenExpiresInSeconds()).toThrow(/expires_in/);
			expect(tokens.data).toMatchObject({ instance_url: 'https://tollgate.my.salesforce.com' });
			const next = await salesforce.refreshAccessToken(tokens.refreshToken());
			expect(next.hasRefreshToken()).toBe(false);
			const me = 'https://tollgate.my.salesforce.com/services/data/v60.0/chatter/users/me';
			const user = await call(me, next.accessToken());
			expect(user.headers.get('sforce-limit-info')).toMatch(/^api-usage=\d+\/100000$/);
			const used = salesforce.validateAuthorizationCode(code, verifier);
			await expect(used).rejects.toMatchObject({ description: 'expired authorization code' });
			await salesforce.revokeToken(tokens.refreshToken());
			const ended = await call(me, next.accessToken());
			expect([ended.status, await ended.json()]).toEqual([
				401,
				[expect.objectContaining({ errorCode: 'INVALID_SESSION_ID' })]
			]);
			shown.push('| `arctic` | Salesforce | sign-in, call at `instance_url`, refresh, used code, revocation |');
		});
	});

	describe('openid-client at identity platforms', () => {
		it('accepts the issuer of Auth0, and gets a JWT for an audience', async () => {
			const config = await discover('https://example.auth0.com/');
			const scope = 'openid offline_access';
			const { callback, tokens } = await signIn(config, 'auth0', { scope, audience: 'https://api.example.com' });
			expect(tokens.access_token).toMatch(/^eyJ/);
			const { iss, sub = '' } = tokens.claims() ?? {};
			expect(iss).toBe('https://example.auth0.com/');
			expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({ sub });
			const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
			expect(next.refresh_token).toBeUndefined();
			await openid.tokenRevocation(config, tokens.refresh_token ?? '');
			const ended = openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
			await expect(ended).rejects.toMatchObject({ status: 403 });
			const checks = { expectedState: 's0', pkceCodeVerifier: verifier };
			const used = openid.authorizationCodeGrant(config, callback, checks);
			await expect(used).rejects.toMatchObject({ status: 403, error: 'invalid_grant' });
			shown.push(
				'| `openid-client` | Auth0 | discovery, sign-in with `audience`, ID token, call, refresh, revocation, used code |'
			);
		});

		it('compares iss in the callback of Keycloak with the realm', async () => {
			const config = await discover('https://my.keycloak.org/realms/shop');
			const { callback, tokens } = await signIn(config, 'keycloak', { scope: 'openid' }, signInAtPages);
			expect(callback.searchParams.get('iss')).toBe('https://my.keycloak.org/realms/shop');
			expect(tokens.claims()).toMatchObject({ iss: 'https://my.keycloak.org/realms/shop', sub: 'player-one' });
			expect(tokens).toMatchObject({ refresh_expires_in: 1800, 'not-before-policy': 0 });
			expect(await openid.fetchUserInfo(config, tokens.access_token, 'player-one')).toMatchObject({
				sub: 'player-one'
			});
			const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
			await openid.tokenRevocation(config, next.refresh_token ?? '');
			const ended = openid.refreshTokenGrant(config, next.refresh_token ?? '');
			await expect(ended).rejects.toMatchObject({ error: 'invalid_grant' });
			shown.push(
				'| `openid-client` | Keycloak | discovery of a realm, sign-in, `iss`, ID token, call, refresh, revocation |'
			);
		});

		it('reads the error of userinfo at Okta in the header', async () => {
			const config = await discover('https://example.okta.com/oauth2/default');
			const { tokens } = await signIn(config, 'okta', { scope: 'openid profile offline_access' });
			const { iss, sub = '' } = tokens.claims() ?? {};
			expect(iss).toBe('https://example.okta.com/oauth2/default');
			expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({ sub });
			const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
			await openid.tokenRevocation(config, next.access_token);
			await expect(openid.fetchUserInfo(config, next.access_token, sub)).rejects.toMatchObject({
				status: 401,
				cause: [expect.objectContaining({ parameters: expect.objectContaining({ error: 'invalid_token' }) })]
			});
			shown.push(
				'| `openid-client` | Okta | discovery, sign-in, ID token, call, refresh, revocation, error without a body |'
			);
		});

		it('signs in at Salesforce, and reports status 403 for a revoked token', async () => {
			const config = await discover('https://login.salesforce.com');
			const { tokens } = await signIn(config, 'salesforce', { scope: 'openid refresh_token' });
			expect(tokens.expiresIn()).toBeUndefined();
			const { iss, sub = '' } = tokens.claims() ?? {};
			expect(iss).toBe('https://login.salesforce.com');
			expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({ sub });
			const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
			await openid.tokenRevocation(config, next.access_token);
			const ended = openid.fetchUserInfo(config, next.access_token, sub);
			await expect(ended).rejects.toMatchObject({ cause: expect.objectContaining({ status: 403 }) });
			shown.push(
				'| `openid-client` | Salesforce | discovery, sign-in, ID token, call, refresh, revocation, status 403 |'
			);
		});
	});
}

/** A user signs in at the real URL, and allows what the client asks: a browser that sends the first form of each page. */
export async function signInAtPages(url: URL): Promise<URL> {
	const cookies: string[] = [];
	const send = async (to: URL | string, init: RequestInit) => {
		const headers = { cookie: cookies.join('; '), origin: url.origin };
		const response = await fetch(to, { ...init, redirect: 'manual', headers });
		cookies.push(...response.headers.getSetCookie().map((one) => one.replace(/;.*/, '')));
		return response;
	};
	let response = await send(url, {});
	for (let pages = 0; pages < 5; pages += 1) {
		const location = response.headers.get('location');
		if (location?.startsWith(url.origin) === false) return new URL(location);
		if (location === null) {
			const [form = '', action = ''] = /<form[^>]*action="([^"]*)".*?<\/form>/s.exec(await response.text()) ?? [];
			const hidden = [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
			const body = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value]));
			body.set('decision', 'approve');
			response = await send(action, { method: 'POST', body });
		} else response = await send(location, {});
	}
	throw new Error('The pages do not end.');
}
