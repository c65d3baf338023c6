import AppleStrategy from '@nicokaiser/passport-apple';
import type { Request } from 'express';
import type { SetupServer } from 'msw/node';
import AtlassianStrategy from 'passport-atlassian-oauth2';
import Auth0Strategy from 'passport-auth0';
import OpenIDConnectStrategy from 'passport-openidconnect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '#hosts/library/msw.ts';
import { createService } from '#hosts/library/tollgate.ts';
import { signInAtPages } from './identity-platforms.ts';

const as = ['apple', 'atlassian', 'auth0', 'keycloak', 'okta', 'salesforce'];
const callbackURL = 'https://app.example/callback';

/** What passport reads of a request of Express. */
type Sent = {
	readonly query?: Readonly<Record<string, string>>;
	readonly body?: Readonly<Record<string, string>>;
	readonly session?: object;
};

function expressRequest(sent: Sent): Request;
function expressRequest(sent: Sent): object {
	return { query: {}, session: {}, headers: {}, connection: {}, ...sent };
}

/** What a strategy does with a request. Passport calls an own one for each. */
export function authenticate(
	strategy: { authenticate(request: Request, options?: object): unknown },
	sent: Sent,
	options: object = {}
) {
	return new Promise<{ readonly kind: string; readonly value: unknown }>((resolve) => {
		const one: typeof strategy & Record<string, unknown> = Object.create(strategy);
		for (const kind of ['success', 'redirect', 'fail', 'error'])
			one[kind] = (value: unknown) => resolve({ kind, value });
		one.authenticate(expressRequest(sent), options);
	});
}

/**
 * Strategies of Passport, unmodified, at the real URLs of six providers. They sign users in, and have neither a refresh nor a revocation.
 * @param shown what the tests have shown: rows of the table in the documentation
 */
export function testPassport(server: SetupServer, shown: string[]): void {
	const service = createService();
	let clientID = '';
	let clientSecret = '';
	const control = async (path: string, body: object) => {
		const headers = { 'content-type': 'application/json' };
		const response = await fetch(service.origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
		return response.json();
	};
	beforeAll(async () => {
		server.use(...handlers(service, { as }));
		const made = await control('/control/applications', { name: 'App', kind: 'web', redirect_uris: [callbackURL] });
		clientID = made.client_id;
		clientSecret = made.client_secret;
	});
	afterAll(() => server.resetHandlers());

	/** A user presses the button of the app, and allows what it asks. @returns what the app then has, and what it has after a second request with the same code */
	async function signIn(strategy: Parameters<typeof authenticate>[0], options: object = {}) {
		const session = {};
		const { value: location } = await authenticate(strategy, { session }, options);
		const asked = new URL(String(location));
		const query = Object.fromEntries((await signInAtPages(asked)).searchParams);
		const kept = structuredClone(session);
		const ended = await authenticate(strategy, { query, session }, options);
		/** Uses the code again, which ends the tokens. */
		const again = () => authenticate(strategy, { query, session: kept }, options);
		return { asked, ended, again };
	}
	const call = (url: string, { value }: { readonly value: unknown }) =>
		fetch(url, { headers: { authorization: `Bearer ${Object(value).token}` } });

	describe('strategies of Passport at the real URLs', () => {
		it('passport-auth0 verifies the ID token, and gets an opaque token', async () => {
			const strategy = new Auth0Strategy(
				{ domain: 'example.auth0.com', clientID, clientSecret, callbackURL },
				(token, refresh, _, { displayName }, done) => done(undefined, { token, refresh, displayName })
			);
			const { ended, again } = await signIn(strategy, { scope: 'openid profile' });
			expect(ended).toMatchObject({ kind: 'success', value: { displayName: 'player-one', refresh: undefined } });
			expect(Object(ended.value).token).not.toContain('.');
			expect((await call('https://example.auth0.com/userinfo', ended)).status).toBe(200);
			expect(await again()).toMatchObject({ kind: 'error', value: { code: 'invalid_grant' } });
			shown.push('| `passport-auth0` | Auth0 | sign-in, ID token, call, opaque token, no refresh token, used code |');
		});

		it('passport-atlassian-oauth2 sends audience and prompt, and finds the sites', async () => {
			const strategy = new AtlassianStrategy(
				{ clientID, clientSecret, callbackURL, scope: 'offline_access read:jira-user' },
				(token, refresh, profile, done) => done(undefined, { token, refresh, profile })
			);
			const { asked, ended, again } = await signIn(strategy);
			expect(asked.searchParams.get('audience')).toBe('api.atlassian.com');
			expect(ended).toMatchObject({
				kind: 'success',
				value: {
					refresh: expect.any(String),
					profile: { displayName: 'player-one', accessibleResources: [expect.objectContaining({ name: 'tollgate' })] }
				}
			});
			expect(await again()).toMatchObject({ kind: 'error' });
			shown.push(
				'| `passport-atlassian-oauth2` | Atlassian | sign-in with `audience` and `prompt`, call, sites, refresh token, used code |'
			);
		});

		it('@nicokaiser/passport-apple reads the form, and the name once', async () => {
			const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
				'sign',
				'verify'
			]);
			const { x, y } = await crypto.subtle.exportKey('jwk', publicKey);
			const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
			const { client_id } = await control('/control/applications', {
				...{ name: 'Apple app', kind: 'web', redirect_uris: [callbackURL] },
				jwks: { keys: [{ kty: 'EC', crv: 'P-256', x, y }] }
			});
			const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----`;
			const strategy = new AppleStrategy(
				{ ...{ clientID: client_id, teamID: 'team', keyID: 'key', key, callbackURL }, scope: ['name', 'email'] },
				(token, refresh, profile, done) => done(undefined, { token, refresh, profile })
			);
			for (const name of [expect.objectContaining({ firstName: 'player-one' }), undefined]) {
				const { value } = await authenticate(strategy, {}, { state: 's' });
				const query = new URL(String(value)).search.slice(1);
				const { form } = await control('/control/authorizations', { username: 'player-one', query, provider: 'apple' });
				const ended = await authenticate(strategy, { body: form.fields });
				expect(ended).toMatchObject({ kind: 'success', value: { profile: { id: 'player-one' } } });
				expect(Object(ended.value).profile.name).toEqual(name);
				const used = await authenticate(strategy, { body: form.fields });
				expect(used).toMatchObject({ kind: 'error' });
			}
			shown.push(
				'| `@nicokaiser/passport-apple` | Apple | sign-in by form_post, JWT as the secret, ID token, name once, used code |'
			);
		});

		it.for([
			['Okta', 'https://example.okta.com/oauth2/default', 'no refresh token without `offline_access`'],
			['Keycloak', 'https://my.keycloak.org/realms/shop', 'refresh token without `offline_access`'],
			['Salesforce', 'https://login.salesforce.com', 'no `expires_in`']
		] as const)(
			'passport-openidconnect signs in at %s, with the URLs of its metadata',
			async ([title, issuer, surprise]) => {
				const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
				const strategy = new OpenIDConnectStrategy(
					{
						...{ issuer, clientID, clientSecret, callbackURL, scope: 'profile' },
						authorizationURL: metadata.authorization_endpoint,
						tokenURL: metadata.token_endpoint,
						userInfoURL: metadata.userinfo_endpoint
					},
					// It counts the parameters of the function.
					(
						_issuer: string,
						profile: OpenIDConnectStrategy.Profile,
						_context: object,
						_idToken: string | object,
						token: string | object,
						refresh: string,
						params: unknown,
						done: OpenIDConnectStrategy.VerifyCallback
					) => done(null, { token, refresh, name: profile.displayName, params })
				);
				const { ended, again } = await signIn(strategy);
				expect(ended).toMatchObject({ kind: 'success', value: { name: 'player-one' } });
				const { refresh, params } = Object(ended.value);
				expect([refresh !== undefined, params.expires_in]).toEqual(
					{ Okta: [false, 3600], Keycloak: [true, 300], Salesforce: [false, undefined] }[title]
				);
				expect((await call(metadata.userinfo_endpoint, ended)).status).toBe(200);
				expect(await again()).toMatchObject({ kind: 'error', value: { code: 'invalid_grant' } });
				shown.push(`| \`passport-openidconnect\` | ${title} | sign-in, ID token, call, ${surprise}, used code |`);
			}
		);
	});
}
