import { Apple, Atlassian } from 'arctic';
import * as openid from 'openid-client';
import OAuth2Strategy from 'passport-oauth2';
import { AuthorizationCode } from 'simple-oauth2';
import { describe, expect, it } from 'vitest';
import { curve, signJwt } from '#client/sign-jwt.ts';
import { authenticate } from './passport.ts';

type Form = { readonly action: string; readonly fields: Readonly<Record<string, string>> };

/** What the tests of all providers share. */
export type Shared = {
	/** Of the service, without a slash at the end. */
	readonly origin: string;
	readonly credentials: readonly [id: string, secret: string, redirectUri: string];
	/** The user follows the link of the client, and allows what it asks. */
	readonly arrive: (url: URL, provider: string) => Promise<{ readonly location: string; readonly form?: Form }>;
	readonly call: (url: string, token: string) => Promise<Response>;
	/** Adds a row of the table in the documentation. */
	readonly show: (row: string) => void;
};

/** Unmodified clients at the real URLs of Apple, Atlassian and EVE Online. */
export function testClients({ origin, credentials, arrive, call, show }: Shared): void {
	const [clientId, clientSecret, redirectUri] = credentials;
	const codeOf = ({ location }: { readonly location: string }) => new URL(location).searchParams.get('code') ?? '';
	const claimsOf = (token: string): Record<string, unknown> =>
		JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

	describe('clients of Atlassian at the real URLs', () => {
		it('arctic calls a site by its cloud id, and refreshes', async () => {
			const atlassian = new Atlassian(...credentials);
			const url = atlassian.createAuthorizationURL('s', ['read:me', 'read:jira-user', 'offline_access']);
			const tokens = await atlassian.validateAuthorizationCode(codeOf(await arrive(url, 'atlassian')));
			const found = await call('https://api.atlassian.com/oauth/token/accessible-resources', tokens.accessToken());
			const [site] = await found.json();
			const user = await call(`https://api.atlassian.com/ex/jira/${site.id}/rest/api/3/myself`, tokens.accessToken());
			expect(await user.json()).toMatchObject({ displayName: 'player-one', active: true });
			const next = await atlassian.refreshAccessToken(tokens.refreshToken());
			expect(next.refreshToken()).not.toBe(tokens.refreshToken());
			show('| `arctic` | Atlassian | sign-in, call with a cloud id, refresh with another refresh token |');
		});

		it('simple-oauth2 sends JSON, and cannot use a refresh token twice', async () => {
			const client = new AuthorizationCode({
				client: { id: clientId, secret: clientSecret },
				auth: { tokenHost: 'https://auth.atlassian.com', tokenPath: '/oauth/token', authorizePath: '/authorize' },
				options: { bodyFormat: 'json', authorizationMethod: 'body' }
			});
			const asked = { redirect_uri: redirectUri, scope: 'read:me offline_access', state: 's' };
			const required = { audience: 'api.atlassian.com', prompt: 'consent' };
			const rejected = await arrive(new URL(client.authorizeURL(asked)), 'atlassian');
			expect(new URL(rejected.location).searchParams.get('error')).toBe('invalid_request');
			const arrived = await arrive(new URL(client.authorizeURL({ ...asked, ...required })), 'atlassian');
			const signedIn = await client.getToken({ code: codeOf(arrived), redirect_uri: redirectUri });
			const user = await call('https://api.atlassian.com/me', String(signedIn.token.access_token));
			expect(await user.json()).toMatchObject({ name: 'player-one' });
			const next = await signedIn.refresh();
			expect(next.token.refresh_token).not.toBe(signedIn.token.refresh_token);
			await expect(signedIn.refresh()).rejects.toMatchObject({
				output: { statusCode: 403 },
				data: { payload: { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' } }
			});
			show(
				'| `simple-oauth2` | Atlassian | sign-in with a JSON body, missing `audience`, call, refresh once with each refresh token |'
			);
		});
	});

	describe('clients of Apple at the real URLs', () => {
		/** An application whose secret is a JWT, signed with its own key. */
		async function register() {
			const { publicKey, privateKey } = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
			const { x, y } = await crypto.subtle.exportKey('jwk', publicKey);
			const response = await fetch(`${origin}/control/applications`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({
					name: 'Apple app',
					kind: 'web',
					redirect_uris: [redirectUri],
					jwks: { keys: [{ kty: 'EC', crv: 'P-256', x, y }] }
				})
			});
			const { client_id } = await response.json();
			return { id: String(client_id), privateKey };
		}

		it('arctic signs its secret, and gets the name once', async () => {
			const { id, privateKey } = await register();
			const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
			const apple = new Apple(id, 'team', 'key', pkcs8, redirectUri);
			const url = apple.createAuthorizationURL('s', ['name', 'email']);
			expect(new URL((await arrive(url, 'apple')).location).searchParams.get('error')).toBe('invalid_request');
			// As its documentation says for these scopes.
			url.searchParams.set('response_mode', 'form_post');
			const { fields = {} } = (await arrive(url, 'apple')).form ?? {};
			expect(JSON.parse(fields.user ?? '')).toMatchObject({ name: { firstName: 'player-one' } });
			const tokens = await apple.validateAuthorizationCode(fields.code ?? '');
			expect(claimsOf(tokens.idToken())).toMatchObject({
				iss: 'https://appleid.apple.com',
				aud: id,
				sub: 'player-one'
			});
			expect((await arrive(url, 'apple')).form?.fields).not.toHaveProperty('user');
			await expect(apple.validateAuthorizationCode(fields.code ?? '')).rejects.toMatchObject({
				code: 'invalid_grant',
				description: 'The code has already been used.'
			});
			show('| `arctic` | Apple | sign-in by form_post, JWT as the secret, name once, ID token, used code |');
		});

		it('openid-client reads the form, verifies the ID token, refreshes and revokes', async () => {
			const { id, privateKey } = await register();
			const now = Math.floor(Date.now() / 1000);
			// Apple allows six months.
			const claims = { iss: 'team', sub: id, aud: 'https://appleid.apple.com', iat: now, exp: now + 15_000_000 };
			const secret = await signJwt({ kid: 'key' }, claims, privateKey);
			const server = new URL('https://appleid.apple.com');
			const config = await openid.discovery(server, id, secret, openid.ClientSecretPost(secret));
			expect(config.serverMetadata().userinfo_endpoint).toBeUndefined();
			const parameters = { redirect_uri: redirectUri, scope: 'name email', state: 's0', response_mode: 'form_post' };
			const { form } = await arrive(openid.buildAuthorizationUrl(config, parameters), 'apple');
			if (form === undefined) throw new Error('There is no form.');
			const request = new Request(form.action, { method: 'POST', body: new URLSearchParams(form.fields) });
			const tokens = await openid.authorizationCodeGrant(config, request, { expectedState: 's0' });
			expect(tokens.claims()).toMatchObject({ sub: 'player-one' });
			const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
			expect(next).not.toHaveProperty('refresh_token');
			await openid.tokenRevocation(config, tokens.refresh_token ?? '');
			await expect(openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
				error: 'invalid_grant'
			});
			show('| `openid-client` | Apple | discovery, sign-in by form_post, ID token, refresh, revocation |');
		});
	});

	describe('clients of EVE Online at the real URLs', () => {
		/** The next window of the limit, which all providers of a sandbox share. */
		const waitForReset = () =>
			fetch(`${origin}/control/clock`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ advance: 60 })
			});
		const online = 'https://esi.evetech.net/latest/characters/1000001/online/';

		it('passport-oauth2 signs in with HTTP Basic, and finds the character at /oauth/verify', async () => {
			const strategy = new OAuth2Strategy(
				{
					authorizationURL: 'https://login.eveonline.com/v2/oauth/authorize',
					tokenURL: 'https://login.eveonline.com/v2/oauth/token',
					clientID: clientId,
					clientSecret,
					callbackURL: redirectUri
				},
				(token: string, refresh: string, _profile: unknown, done: OAuth2Strategy.VerifyCallback) =>
					done(null, { token, refresh })
			);
			const { value: asked } = await authenticate(strategy, {});
			const code = codeOf(await arrive(new URL(String(asked)), 'eve-online'));
			const { kind, value } = await authenticate(strategy, { query: { code } });
			expect([kind, value]).toEqual(['success', { token: expect.any(String), refresh: undefined }]);
			const { token } = Object(value);
			const user = await call('https://login.eveonline.com/oauth/verify', String(token));
			expect(await user.json()).toMatchObject({ CharacterName: 'player-one', TokenType: 'JWT' });
			show('| `passport-oauth2` | EVE Online | sign-in without a scope, call of /oauth/verify, no refresh token |');
		});

		it('openid-client discovers it, reads the character in the token, and meets the error limit', async () => {
			const server = new URL('https://login.eveonline.com');
			const config = await openid.discovery(server, clientId, clientSecret, openid.ClientSecretBasic(clientSecret), {
				algorithm: 'oauth2'
			});
			const parameters = { redirect_uri: redirectUri, scope: 'esi-location.read_online.v1', state: 's0' };
			const { location } = await arrive(openid.buildAuthorizationUrl(config, parameters), 'eve-online');
			const tokens = await openid.authorizationCodeGrant(config, new URL(location), { expectedState: 's0' });
			expect(tokens.expires_in).toBe(1199);
			expect(claimsOf(tokens.access_token)).toMatchObject({
				iss: 'https://login.eveonline.com',
				aud: [clientId, 'EVE Online'],
				sub: expect.stringMatching(/^CHARACTER:EVE:\d+$/),
				name: 'player-one',
				scp: ['esi-location.read_online.v1']
			});
			const remain = async (token: string) => {
				const response = await call(online, token);
				return [response.status, Number(response.headers.get('x-esi-error-limit-remain'))];
			};
			await waitForReset();
			expect(await remain(tokens.access_token)).toEqual([200, 100]);
			expect(await remain('wrong')).toEqual([403, 99]);
			expect(await remain(tokens.access_token)).toEqual([200, 99]);
			const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
			for (let left = 98; left >= 0; left -= 1) expect(await remain('wrong')).toEqual([403, left]);
			expect(await remain(next.access_token)).toEqual([420, 0]);
			await waitForReset();
			expect(await remain(next.access_token)).toEqual([200, 100]);
			await openid.tokenRevocation(config, next.refresh_token ?? '');
			await expect(openid.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
				error: 'invalid_grant'
			});
			show('| `openid-client` | EVE Online | discovery, sign-in, call, 420 after 100 errors, refresh, revocation |');
		});
	});
}
