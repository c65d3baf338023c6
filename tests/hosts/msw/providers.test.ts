import { readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { ConfidentialClientApplication } from '@azure/msal-node';
import { exchangeWebFlowCode, getWebFlowAuthorizationUrl } from '@octokit/oauth-methods';
import { InstallProvider, LogLevel } from '@slack/oauth';
import { Discord, GitHub, Google, MicrosoftEntraId, OAuth2RequestError, Spotify } from 'arctic';
import { OAuth2Client } from 'google-auth-library';
import { setupServer } from 'msw/node';
import * as openid from 'openid-client';
import { Strategy, type Profile } from 'passport-github2';
import type { VerifyCallback } from 'passport-oauth2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '#hosts/library/msw.ts';
import { createService } from '#hosts/library/tollgate.ts';
import { testAuthJs } from './auth-js.ts';
import { testIdentityPlatforms } from './identity-platforms.ts';
import { authenticate, testPassport } from './passport.ts';
import { testClients } from './apple-atlassian-eve.ts';

const service = createService();
const as = ['github', 'google', 'slack', 'microsoft', 'spotify', 'discord', 'apple', 'atlassian', 'eve-online'];
const server = setupServer(...handlers(service, { as }));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

const redirectUri = `${service.origin}/viewer/callback`;
const credentials = ['character-viewer', 'viewer-secret', redirectUri] as const;
/** What the tests have shown: rows of the table in the documentation. */
const shown: string[] = [];
const verifier = 'a'.repeat(43);

/** The user follows the link of the client, and allows what it asks. @returns where the browser arrives */
async function arrive(url: URL, provider: string) {
	const body = { username: 'player-one', query: url.search.slice(1), provider };
	const response = await fetch(`${service.origin}/control/authorizations`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body)
	});
	return response.json();
}
/** @returns the callback */
const follow = async (url: URL, provider: string) => new URL((await arrive(url, provider)).location);
const codeOf = (callback: URL) => callback.searchParams.get('code') ?? '';
const call = (url: string, token: string) =>
	fetch(url, { headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' } });

describe('arctic at the real URLs', () => {
	it('signs in at GitHub, calls the API, and reads an error with status 200', async () => {
		const github = new GitHub(...credentials);
		const code = codeOf(await follow(github.createAuthorizationURL('s', ['user:email']), 'github'));
		const tokens = await github.validateAuthorizationCode(code);
		expect(tokens.accessToken()).toMatch(/^gho_[A-Za-z0-9]{36}$/);
		expect(tokens.hasRefreshToken()).toBe(false);
		const user = await call('https://api.github.com/user', tokens.accessToken());
		expect(await user.json()).toMatchObject({ login: 'player-one', id: expect.any(Number) });
		expect(user.headers.get('x-ratelimit-limit')).toBe('5000');
		const emails = await call('https://api.github.com/user/emails', tokens.accessToken());
		expect(await emails.json()).toEqual([expect.objectContaining({ primary: true })]);
		const again = github.validateAuthorizationCode(code);
		await expect(again).rejects.toThrow(OAuth2RequestError);
		await expect(again).rejects.toMatchObject({ code: 'bad_verification_code' });
		shown.push('| `arctic` | GitHub | sign-in, call, no refresh token, error with status 200 |');
	});

	it('gets a refresh token of Google once, and again with prompt=consent', async () => {
		const google = new Google(...credentials);
		const signIn = async (more: Record<string, string>) => {
			const url = google.createAuthorizationURL('s', verifier, ['openid', 'email']);
			for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
			return google.validateAuthorizationCode(codeOf(await follow(url, 'google')), verifier);
		};
		expect((await signIn({ access_type: 'online' })).hasRefreshToken()).toBe(false);
		const asked = await signIn({ access_type: 'offline', prompt: 'consent' });
		expect(asked.hasRefreshToken()).toBe(true);
		expect((await signIn({ access_type: 'offline' })).hasRefreshToken()).toBe(false);
		const refreshed = await google.refreshAccessToken(asked.refreshToken());
		expect(refreshed.accessToken()).toMatch(/^ya29\./);
		expect(refreshed.hasRefreshToken()).toBe(false);
		const user = await call('https://openidconnect.googleapis.com/v1/userinfo', refreshed.accessToken());
		expect(await user.json()).toMatchObject({ sub: 'player-one' });
		shown.push('| `arctic` | Google | sign-in, call, refresh token once and with `prompt=consent`, refresh |');
	});

	it('refreshes at Spotify with the same refresh token', async () => {
		const spotify = new Spotify(...credentials);
		const url = spotify.createAuthorizationURL('s', null, ['user-read-email']);
		const tokens = await spotify.validateAuthorizationCode(codeOf(await follow(url, 'spotify')), null);
		for (let times = 0; times < 2; times += 1) {
			const next = await spotify.refreshAccessToken(tokens.refreshToken());
			expect(next.hasRefreshToken()).toBe(false);
			expect((await call('https://api.spotify.com/v1/me', next.accessToken())).status).toBe(200);
		}
		shown.push('| `arctic` | Spotify | sign-in, call, refresh with the same refresh token |');
	});

	it('revokes all at Discord with one token', async () => {
		const discord = new Discord(...credentials);
		const url = discord.createAuthorizationURL('s', verifier, ['identify']);
		const tokens = await discord.validateAuthorizationCode(codeOf(await follow(url, 'discord')), verifier);
		expect((await call('https://discord.com/api/v10/users/@me', tokens.accessToken())).status).toBe(404);
		expect((await call('https://discord.com/api/users/@me', tokens.accessToken())).status).toBe(200);
		await discord.revokeToken(tokens.accessToken());
		await expect(discord.refreshAccessToken(tokens.refreshToken())).rejects.toMatchObject({ code: 'invalid_grant' });
		shown.push('| `arctic` | Discord | sign-in, call, revocation of all |');
	});

	it('gets another refresh token of Microsoft at each refresh', async () => {
		const entra = new MicrosoftEntraId('common', ...credentials);
		const scopes = ['openid', 'offline_access', 'User.Read'];
		const url = entra.createAuthorizationURL('s', verifier, scopes);
		const tokens = await entra.validateAuthorizationCode(codeOf(await follow(url, 'microsoft')), verifier);
		const next = await entra.refreshAccessToken(tokens.refreshToken(), scopes);
		expect(next.refreshToken()).not.toBe(tokens.refreshToken());
		expect(next.scopes().toSorted()).toEqual(['User.Read', 'openid']);
		expect((await call('https://graph.microsoft.com/v1.0/me', next.accessToken())).status).toBe(200);
		shown.push('| `arctic` | Microsoft Entra | sign-in, call, refresh with another refresh token |');
	});
});

it('openid-client discovers Google and accepts its ID token', async () => {
	const [client_id, client_secret] = credentials;
	const config = await openid.discovery(new URL('https://accounts.google.com'), client_id, client_secret);
	const parameters = { redirect_uri: redirectUri, scope: 'openid email', nonce: 'n0', state: 's0' };
	const callback = await follow(openid.buildAuthorizationUrl(config, parameters), 'google');
	const tokens = await openid.authorizationCodeGrant(config, callback, { expectedNonce: 'n0', expectedState: 's0' });
	expect(tokens.claims()).toMatchObject({ iss: 'https://accounts.google.com', sub: 'player-one' });
	const user = await openid.fetchUserInfo(config, tokens.access_token, 'player-one');
	expect(user.sub).toBe('player-one');
	shown.push('| `openid-client` | Google | discovery, sign-in, ID token, call |');
});

it('Slack says ok: false with status 200', async () => {
	const body = new URLSearchParams({ code: 'unknown', client_id: 'character-viewer', client_secret: 'viewer-secret' });
	const response = await fetch('https://slack.com/api/oauth.v2.access', { method: 'POST', body });
	expect([response.status, await response.json()]).toEqual([200, { ok: false, error: 'invalid_code' }]);
});

it('an unknown path of a provider is a 404 of ours', async () => {
	const response = await fetch('https://github.com/octocat');
	expect(response.status).toBe(404);
	expect(await response.text()).toContain('Not simulated by the file github, version 1.');
});

it('every provider also lives below the sandbox', async () => {
	const metadata = await fetch(`${service.origin}/as/google/.well-known/openid-configuration`);
	expect(await metadata.json()).toMatchObject({
		issuer: `${service.origin}/as/google`,
		token_endpoint: `${service.origin}/as/google/token`
	});
	expect((await fetch(`${service.origin}/as/unknown/token`)).status).toBe(404);
});

it('a sandbox can speak like a provider at its own paths', async () => {
	const set = (dialect: string) =>
		fetch(`${service.origin}/control/settings`, {
			method: 'PATCH',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ dialect })
		});
	await set('github');
	const body = new URLSearchParams({ code: 'unknown', client_id: 'character-viewer', client_secret: 'viewer-secret' });
	const response = await fetch(`${service.origin}/ws/oauth2/token/`, { method: 'POST', body });
	expect([response.status, await response.text()]).toEqual([
		200,
		expect.stringContaining('error=bad_verification_code&')
	]);
	const status = await fetch(`${service.origin}/control/status`);
	expect(await status.json()).toMatchObject({ dialect: 'standard', provider: 'github' });
	await set('specification');
});

it('names the providers that are simulated where another one is asked for', () => {
	expect(() => handlers(service, { as: 'gitlab' })).toThrow(/No provider "gitlab" is simulated. Use one of .*github/);
});

describe('@octokit/oauth-methods at the real URLs', () => {
	it('exchanges a code with a JSON body, and reports an error with status 200', async () => {
		const [clientId, clientSecret] = credentials;
		const { url } = getWebFlowAuthorizationUrl({
			clientType: 'oauth-app',
			clientId,
			redirectUrl: redirectUri,
			scopes: ['repo']
		});
		const code = codeOf(await follow(new URL(url), 'github'));
		const exchange = () => exchangeWebFlowCode({ clientType: 'oauth-app', clientId, clientSecret, code });
		const { authentication } = await exchange();
		expect(authentication.token).toMatch(/^gho_/);
		await expect(exchange()).rejects.toThrow(/^The code passed is incorrect or expired/);
		shown.push('| `@octokit/oauth-methods` | GitHub | sign-in with a JSON body, error with status 200 |');
	});
});

describe('google-auth-library at the real URLs', () => {
	it('signs in, refreshes before a call, and cannot revoke', async () => {
		const client = new OAuth2Client(...credentials);
		const url = client.generateAuthUrl({ access_type: 'offline', prompt: 'consent', scope: ['openid', 'email'] });
		const { tokens } = await client.getToken(codeOf(await follow(new URL(url), 'google')));
		expect(tokens.refresh_token).toBeDefined();
		// It refreshes before the call, because it takes the token for expired.
		client.setCredentials({ ...tokens, expiry_date: 1 });
		const user = await client.request<{ sub: string }>({ url: 'https://openidconnect.googleapis.com/v1/userinfo' });
		expect(user.data.sub).toBe('player-one');
		expect(client.credentials.access_token).not.toBe(tokens.access_token);
		expect(client.credentials.refresh_token).toBe(tokens.refresh_token);
		await expect(client.revokeToken(tokens.refresh_token ?? '')).rejects.toMatchObject({ status: 404 });
		shown.push('| `google-auth-library` | Google | sign-in, refresh before a call, call |');
	});
});

describe('passport-github2 at the real URLs', () => {
	it('signs a user in with the profile, and reports a used code', async () => {
		const [clientID, clientSecret, callbackURL] = credentials;
		const strategy = new Strategy(
			{ clientID, clientSecret, callbackURL },
			(token: string, _refresh: string, profile: Profile, done: VerifyCallback) => done(null, { token, profile })
		);
		const { value: location } = await authenticate(strategy, {}, { scope: ['user:email'] });
		const code = codeOf(await follow(new URL(String(location)), 'github'));
		expect(await authenticate(strategy, { query: { code } })).toMatchObject({
			kind: 'success',
			value: { token: expect.stringMatching(/^gho_/), profile: { username: 'player-one', provider: 'github' } }
		});
		expect(await authenticate(strategy, { query: { code } })).toMatchObject({ kind: 'error' });
		shown.push('| `passport-github2` | GitHub | sign-in, call, error with status 200 |');
	});
});

describe('@azure/msal-node at the real URLs', () => {
	it('signs in, and refreshes without a call of the user', async () => {
		const [clientId, clientSecret, redirect] = credentials;
		const client = new ConfidentialClientApplication({
			auth: { clientId, clientSecret, authority: 'https://login.microsoftonline.com/common' }
		});
		const scopes = ['User.Read'];
		const url = await client.getAuthCodeUrl({ scopes, redirectUri: redirect });
		const code = codeOf(await follow(new URL(url), 'microsoft'));
		const signedIn = await client.acquireTokenByCode({ code, scopes, redirectUri: redirect });
		expect((await call('https://graph.microsoft.com/v1.0/me', signedIn.accessToken)).status).toBe(200);
		const { account } = signedIn;
		if (account === null) throw new Error('There is no account.');
		const again = await client.acquireTokenSilent({ account, scopes, forceRefresh: true });
		expect(again.accessToken).not.toBe(signedIn.accessToken);
		shown.push('| `@azure/msal-node` | Microsoft Entra | sign-in, call, refresh |');
	});
});

describe('@slack/oauth at the real URLs', () => {
	it('installs an app, and reports a used code', async () => {
		const [clientId, clientSecret, redirect] = credentials;
		const silent = () => undefined;
		const logger = {
			...{ debug: silent, info: silent, warn: silent, error: silent, setLevel: silent, setName: silent },
			getLevel: () => LogLevel.ERROR
		};
		const installer = new InstallProvider({ clientId, clientSecret, stateSecret: 'a secret of the app', logger });
		const url = await installer.generateInstallUrl({ scopes: ['chat:write'], redirectUri: redirect });
		const callback = await follow(new URL(url), 'slack');
		/** What the app does with the callback. */
		const handle = async () => {
			const request = new IncomingMessage(new Socket());
			request.url = callback.pathname + callback.search;
			request.headers = {
				host: callback.host,
				cookie: `slack-app-oauth-state=${callback.searchParams.get('state') ?? ''}`
			};
			const ended = new Promise<unknown>((resolve) => {
				void installer.handleCallback(request, new ServerResponse(request), {
					success: resolve,
					failure: (error) => resolve(error)
				});
			});
			return ended;
		};
		expect(await handle()).toMatchObject({
			bot: { token: expect.stringMatching(/^xoxb-/), scopes: ['chat:write'] },
			tokenType: 'bot'
		});
		expect(await handle()).toMatchObject({ message: expect.stringContaining('invalid_code') });
		shown.push('| `@slack/oauth` | Slack | sign-in, call, error with status 200 |');
	});
});

describe('identity platforms', () => testIdentityPlatforms(server, shown));
describe('Auth.js', () => testAuthJs(server, shown));
describe('Passport', () => testPassport(server, shown));
testClients({ origin: service.origin, credentials, arrive, call, show: (row) => shown.push(row) });

it('the table in the documentation has what these tests have shown, and no more', () => {
	const text = readFileSync('src/content/docs/providers.md', 'utf8');
	const table = text.slice(text.indexOf('## Unmodified clients'), text.indexOf('`arctic` and'));
	const rows = table.split('\n').filter((line) => line.startsWith('| `'));
	expect(rows.toSorted()).toEqual(shown.toSorted());
});
