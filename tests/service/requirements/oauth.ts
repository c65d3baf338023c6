import { expect } from 'vitest';
import { encode } from '../../conformance/sandbox.ts';
import {
	basic,
	codeWithPkce,
	exchangeWithPkce,
	pkce,
	readCharacter,
	refreshWithBasic,
	standardTokens,
	verifier
} from '../../conformance/standard.ts';
import { queryOf } from '../../conformance/user-agent.ts';
import type { Requirements } from './requirement.ts';

const auth = '/ws/oauth2/auth/';
const noGrant = { grant_type: 'refresh_token', refresh_token: 'x' };

/** RFC 6749. */
export const oauthRequirements: Requirements = {
	'RFC 6749 §2.3: One authentication method for each request': async (at) => {
		const sent = { ...noGrant, client_secret: at.viewer.client_secret };
		expect((await at.token(sent, ...basic(at.viewer))).error).toBe('invalid_request');
	},
	'RFC 6749 §2.3.1: Take HTTP Basic with form-encoded credentials, and none from the URL': async (at) => {
		expect((await at.token(noGrant, ...basic(at.viewer))).error).toBe('invalid_grant');
		const { client_id, client_secret } = at.viewer;
		const inUrl = await at.post(`/ws/oauth2/token/?${encode({ client_id, client_secret })}`, noGrant);
		expect(inUrl.error).toBe('invalid_request');
	},
	'RFC 6749 §2.3.1: Limit guesses of secrets': 'tests/conformance/cases/credentials.ts, for both dialects',
	'RFC 6749 §3.1, §3.2: Require TLS': 'tests/hosts, for the server: no service sees a connection',
	'RFC 6749 §3.1: Authenticate the user before anything is granted': async (at) => {
		expect((await at.user().authorize(at.viewer, pkce)).text).toContain('name="password"');
	},
	'RFC 6749 §3.1: Support GET at the authorization endpoint, POST is optional': async (at) => {
		expect((await at.user().authorize(at.viewer, pkce)).status).toBe(200);
		expect((await at.post(auth, queryOf(at.viewer, pkce))).status).toBe(303);
	},
	'RFC 6749 §3.1: Count an empty parameter as absent, ignore unknown ones': async (at) => {
		const response = await at.user().allow(at.viewer, { ...pkce, scope: '', state: '', unknown: 'x' });
		expect(response.location).toContain('code=');
		expect(response.location).not.toMatch(/state=|unknown/);
	},
	'RFC 6749 §3.1: Reject repeated parameters': async (at) => {
		const response = await at.get(`${auth}?${queryOf(at.viewer, pkce)}&scope=x`);
		expect(response.parameter('error')).toBe('invalid_request');
	},
	'RFC 6749 §3.1: Send no parameter of a response twice': async (at) => {
		const application = { name: 'App', kind: 'web', redirect_uris: ['https://a.example/cb?state=fixed'] };
		expect((await at.control('POST', 'applications', application)).status).toBe(400);
	},
	'RFC 6749 §3.1.1: Reject a missing and an unknown response_type': async (at) => {
		const errorOf = async (response_type: string | undefined) =>
			(await at.user().authorize(at.viewer, { ...pkce, response_type })).parameter('error');
		expect(await errorOf(undefined)).toBe('invalid_request');
		for (const type of ['token', 'id_token', 'code id_token', 'none', 'CODE'])
			expect(await errorOf(type), type).toBe('unsupported_response_type');
	},
	'RFC 6749 §3.1.2: Absolute redirect URIs without a fragment, query kept': async (at) => {
		const redirect_uri = 'https://a.example/cb?tenant=a%20b';
		const response = await at.user().allow(await at.register('web', [redirect_uri]), pkce);
		expect(response.location).toMatch(/^https:\/\/a\.example\/cb\?tenant=a%20b&code=/);
		const application = { name: 'App', kind: 'web', redirect_uris: ['https://a.example/#x'] };
		expect((await at.control('POST', 'applications', application)).status).toBe(400);
	},
	'RFC 6749 §3.1.2.1: Warn the user before a redirect without TLS': async (at) => {
		const pageOf = async (redirect_uri: string) =>
			(await at.user().openConsent(await at.register('web', [redirect_uri]), pkce)).text;
		expect(await pageOf('http://other.example/cb')).toContain('not encrypted');
		for (const uri of ['https://other.example/cb', 'http://localhost:3000/cb', 'http://127.0.0.1:3000/cb'])
			expect(await pageOf(uri), uri).not.toContain('not encrypted');
	},
	'RFC 6749 §3.1.2.2, §3.1.2.3: Register whole redirect URIs, and compare them as strings': async (at) => {
		const app = await at.register('web', ['https://a.example/cb']);
		for (const redirect_uri of ['https://a.example/cb/', 'https://a.example/cb?x', 'https://A.example/cb']) {
			const response = await at.user().authorize({ ...app, redirect_uri }, pkce);
			expect([response.status, response.header('location')]).toEqual([400, undefined]);
		}
	},
	'RFC 6749 §3.1.2.3: Take a request without redirect_uri, if the client has one only': async (at) => {
		const response = await at.get(
			`${auth}?${encode({ ...pkce, response_type: 'code', client_id: at.viewer.client_id })}`
		);
		expect([response.status, response.header('location')]).toEqual([400, undefined]);
	},
	'RFC 6749 §3.1.2.4: Redirect to no URI that is not valid, and tell the user': async (at) => {
		const response = await at.user().authorize({ ...at.viewer, redirect_uri: 'https://evil.example/' }, pkce);
		expect([response.status, response.header('location')]).toEqual([400, undefined]);
		expect(response.text).toContain('redirect_uri is not registered');
	},
	'RFC 6749 §3.2: Only POST at the token endpoint': async (at) => {
		const response = await at.get('/ws/oauth2/token/');
		expect([response.status, response.header('allow')]).toEqual([405, 'POST']);
	},
	'RFC 6749 §3.2: Count an empty parameter as absent, ignore unknown ones, reject repeated ones': async (at) => {
		const { refresh_token } = await standardTokens(at);
		const fields = { grant_type: 'refresh_token', refresh_token, scope: '' };
		const response = await at.token(`${encode(fields)}&unknown=1&unknown=2`, ...basic(at.viewer));
		expect(response.status).toBe(200);
		const twice = await at.token(`${encode(noGrant)}&grant_type=x`, ...basic(at.viewer));
		expect(twice.error).toBe('invalid_request');
	},
	'RFC 6749 §3.2.1: Authenticate clients that have a secret, others send client_id': async (at) => {
		const { client_id } = at.viewer;
		expect((await at.token({ ...noGrant, client_id })).error).toBe('invalid_client');
		expect((await at.token({ ...noGrant, client_id: at.companion.client_id })).error).toBe('invalid_grant');
		expect((await at.token(noGrant)).error).toBe('invalid_request');
	},
	'RFC 6749 §3.3: Use a default or fail without scope, name the granted scope': async (at) => {
		const code = await codeWithPkce(at.user(), at.viewer, { scope: undefined });
		expect((await exchangeWithPkce(at, code)).tokens.scope).toBe('character_read');
	},
	'RFC 6749 §4.1.2: Codes expire after ten minutes at most': async (at) => {
		const code = await codeWithPkce(at.user());
		await at.advance(600);
		expect((await exchangeWithPkce(at, code)).error).toBe('invalid_grant');
	},
	'RFC 6749 §4.1.2: A code works once, and a second use ends its tokens': async (at) => {
		const code = await codeWithPkce(at.user());
		const { access_token } = (await exchangeWithPkce(at, code)).tokens;
		expect((await exchangeWithPkce(at, code)).error).toBe('invalid_grant');
		expect((await readCharacter(at, access_token)).status).toBe(401);
	},
	'RFC 6749 §4.1.2, §5.1: Document the size of codes and tokens': async (at) => {
		const code = await codeWithPkce(at.user());
		const { access_token, refresh_token } = (await exchangeWithPkce(at, code)).tokens;
		for (const value of [code, access_token, refresh_token]) expect(value).toHaveLength(43);
	},
	'RFC 6749 §4.1.2, §4.1.2.1: Return state exactly as it was sent, with errors too': async (at) => {
		const state = 'a+b c/=ü"&#';
		const wrong = await at.user().authorize(at.viewer, { ...pkce, scope: 'unknown', state });
		expect(wrong.parameter('state')).toBe(state);
		expect((await at.user().allow(at.viewer, { ...pkce, state })).parameter('state')).toBe(state);
	},
	'RFC 6749 §4.1.2.1: Send errors to the redirect URI, but to none that is not registered': async (at) => {
		const denied = await at.user().openConsent(at.viewer, pkce);
		expect((await at.user().authorize(at.viewer, { ...pkce, scope: 'x' })).parameter('error')).toBe('invalid_scope');
		expect(denied.status).toBe(200);
		const unknown = await at.user().authorize({ ...at.viewer, client_id: 'unknown' }, pkce);
		expect([unknown.status, unknown.header('location')]).toEqual([400, undefined]);
	},
	'RFC 6749 §4.1.2.1, §5.2: Only ASCII without quotes and backslashes in error_description': async (at) => {
		// Every response of these tests is checked, too.
		const response = await at.user().authorize(at.viewer, { ...pkce, scope: '"\\ü' });
		expect(response.parameter('error_description')).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
	},
	'RFC 6749 §4.1.3: Bind a code to client and redirect_uri': async (at) => {
		const other = await at.register('web', ['https://other.example/cb']);
		const code = await codeWithPkce(at.user());
		const sent = { grant_type: 'authorization_code', code, code_verifier: verifier };
		const { redirect_uri } = at.viewer;
		expect((await at.token({ ...sent, redirect_uri }, ...basic(other))).error).toBe('invalid_grant');
		const wrong = await at.token({ ...sent, redirect_uri: `${redirect_uri}/` }, ...basic(at.viewer));
		expect(wrong.error).toBe('invalid_grant');
	},
	'RFC 6749 §4.2, §4.3, §4.5: Implicit, password and extension grants': async (at) => {
		const extension = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
		for (const grant_type of ['password', extension])
			expect((await at.token({ grant_type }, ...basic(at.viewer))).error).toBe('unsupported_grant_type');
	},
	'RFC 6749 §4.4: Client credentials, for clients with a secret only': async (at) => {
		const grant_type = 'client_credentials';
		expect((await at.token({ grant_type }, ...basic(at.viewer))).status).toBe(200);
		const installed = await at.token({ grant_type, client_id: 'pocket-companion' });
		expect([installed.status, installed.error]).toEqual([400, 'unauthorized_client']);
	},
	'RFC 6749 §4.4.3: Issue no refresh token for client credentials': async (at) => {
		const { tokens } = await at.token({ grant_type: 'client_credentials' }, ...basic(at.viewer));
		expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'character_read' });
		expect(tokens).not.toHaveProperty('refresh_token');
	},
	'RFC 6749 §5.1: JSON with token_type and expires_in, and headers that keep it out of caches': async (at) => {
		const response = await exchangeWithPkce(at, await codeWithPkce(at.user()));
		expect(response.tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3920, scope: 'character_read' });
		expect(response.header('content-type')).toMatch(/^application\/json/);
		expect([response.header('cache-control'), response.header('pragma')]).toEqual(['no-store', 'no-cache']);
	},
	'RFC 6749 §5.2: 400 with JSON, 401 with a challenge after an Authorization header': async (at) => {
		const wrong = await refreshWithBasic(at, 'x', { ...at.viewer, client_secret: 'wrong' });
		expect([wrong.status, wrong.error]).toEqual([401, 'invalid_client']);
		expect(wrong.header('www-authenticate')).toMatch(/^Basic /);
		for (const header of ['Bearer x', 'Digest username="x"', 'character-viewer:viewer-secret']) {
			const other = await at.token(noGrant, 'Authorization', header);
			expect([other.status, other.error], header).toEqual([401, 'invalid_client']);
			expect(other.header('www-authenticate')).toMatch(/^Basic /);
		}
		expect((await refreshWithBasic(at, 'x')).status).toBe(400);
	}
};
