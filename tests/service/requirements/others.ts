import { expect } from 'vitest';
import { encode } from '../../conformance/sandbox.ts';
import {
	basic,
	codeWithPkce,
	pkce,
	registerClient,
	standardTokens,
	exchangeWithPkce,
	readCharacter
} from '../../conformance/standard.ts';
import { queryOf } from '../../conformance/user-agent.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';
import type { Requirements } from './requirement.ts';

const redirect_uris = ['https://client.example/cb'];

/** The metadata that a registration returns. */
async function registered(at: Sandbox, metadata: object): Promise<Readonly<Record<string, unknown>>> {
	const response = await registerClient(at, { redirect_uris, ...metadata });
	expect(response.status, response.text).toBe(201);
	return { ...Object(response.json()) };
}

async function errorOf(at: Sandbox, metadata: object): Promise<string> {
	const response = await registerClient(at, { redirect_uris, ...metadata });
	expect(response.status).toBe(400);
	return response.error;
}

const documentCases = 'tests/conformance/cases/standard-client-documents.ts, by documents of the sandbox';
const fetchTest = 'tests/hosts/node/client-documents.test.ts, with a server of the client';
const deviceEndpoint = '/ws/oauth2/device_authorization';

/** Response modes, registration, resource indicators, native applications and HTTP. */
export const otherRequirements: Requirements = {
	'Multiple Response Types §2.1: Honor response_mode': async (at) => {
		for (const response_mode of ['fragment', 'web_message', 'query.jwt']) {
			const response = await at.user().authorize(at.viewer, { ...pkce, response_mode });
			expect(response.parameter('error'), response_mode).toBe('invalid_request');
		}
		expect((await at.user().authorize(at.viewer, { ...pkce, response_mode: 'query' })).status).toBe(200);
	},
	'Form Post Response Mode §2: Each parameter as an escaped field of a form by POST to the redirect URI': async (
		at
	) => {
		const response = await at.user().allow(at.viewer, { ...pkce, response_mode: 'form_post', state: '"><b>' });
		expect(response.text).toContain(`<form method="post" action="${at.viewer.redirect_uri}"`);
		expect(response.hidden('code')).toHaveLength(43);
		expect(response.text).not.toContain('<b>');
	},
	'Form Post Response Mode §2: A page that no cache keeps': async (at) => {
		const response = await at.user().allow(at.viewer, { ...pkce, response_mode: 'form_post' });
		expect([response.header('cache-control'), response.header('pragma')]).toEqual(['no-store', 'no-cache']);
	},
	'RFC 7591 §2: Ignore unknown metadata': async (at) => {
		const client = await registered(at, { unknown: 1, 'client_name#ja': 'x', jwks: { keys: [] }, jwks_uri: 'x' });
		for (const name of ['unknown', 'client_name#ja', 'jwks', 'jwks_uri']) expect(client).not.toHaveProperty(name);
	},
	'RFC 7591 §2: Defaults for what is left out': async (at) => {
		const absent = { token_endpoint_auth_method: null, grant_types: null, response_types: null, client_name: null };
		for (const metadata of [{}, absent])
			expect(await registered(at, metadata)).toMatchObject({
				token_endpoint_auth_method: 'client_secret_basic',
				response_types: ['code'],
				client_secret_expires_at: 0
			});
	},
	'RFC 7591 §2: Take credentials by the registered token_endpoint_auth_method':
		'tests/service/standards-by-the-letter.test.ts',
	'RFC 7591 §2: Refresh tokens only for clients that registered the grant':
		'tests/service/standards-by-the-letter.test.ts',
	'RFC 7515 §4.1.11: Reject a signature with crit that is not understood':
		'tests/conformance/cases/standard-client-assertions.ts and standard-dpop.ts',
	'RFC 7636 §4.1: A verifier has 43 to 128 unreserved characters': 'tests/service/standards-by-the-letter.test.ts',
	'RFC 7662 §2.1: Resource servers introspect, and callers authenticate':
		'tests/service/standards-by-the-letter.test.ts',
	'RFC 8693 §2.1: No actor_token_type without actor_token': 'tests/service/standards-by-the-letter.test.ts',
	'RFC 9110 §10.2.3: Retry-After is enough to wait': 'tests/service/standards-by-the-letter.test.ts',
	'RFC 7591 §2.1: Keep grant_types and response_types consistent': async (at) => {
		const client = await registered(at, { grant_types: ['refresh_token'] });
		expect(client).toMatchObject({ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] });
		const withoutUser = await registered(at, { grant_types: ['client_credentials'], redirect_uris: [] });
		expect(withoutUser).toMatchObject({ grant_types: ['client_credentials'], response_types: [] });
	},
	'RFC 7591 §2.3, §3.1.1: Software statements': async (at) => {
		expect(await registered(at, { software_statement: 'a.b.c' })).not.toHaveProperty('software_statement');
	},
	'RFC 7591 §3: JSON by POST, without an access token': async (at) => {
		expect((await at.get('/ws/oauth2/register')).status).toBe(405);
		const form = await at.post('/ws/oauth2/register', { redirect_uris: 'x' });
		expect([form.status, form.error]).toEqual([400, 'invalid_client_metadata']);
		await registered(at, {});
	},
	'RFC 7591 §3.2.1: 201 with all registered metadata, kept out of caches': async (at) => {
		const response = await registerClient(at, { redirect_uris, client_name: 'My client' });
		expect([response.status, response.header('cache-control')]).toEqual([201, 'no-store']);
		expect(response.json()).toMatchObject({ redirect_uris, client_name: 'My client' });
	},
	'RFC 7591 §3.2.2: invalid_redirect_uri, invalid_client_metadata': async (at) => {
		for (const uris of [undefined, null, [], ['http://other.example/'], ['javascript:x']])
			expect(await errorOf(at, { redirect_uris: uris }), String(uris)).toBe('invalid_redirect_uri');
		const post = { post_logout_redirect_uris: ['https://client.example/bye?state=x'] };
		expect((await registerClient(at, { redirect_uris, ...post })).text).toContain('post_logout_redirect_uri');
		const wrong = [
			{ token_endpoint_auth_method: 'private_key_jwt' },
			{ grant_types: ['implicit'] },
			{ response_types: ['token'] },
			{ redirect_uris: 'https://client.example/cb' }
		];
		for (const metadata of wrong)
			expect(await errorOf(at, metadata), JSON.stringify(metadata)).toBe('invalid_client_metadata');
	},
	'RFC 7591 §5: TLS, loopback or private-use redirect URIs only': async (at) => {
		expect(await errorOf(at, { redirect_uris: ['http://client.example/cb'] })).toBe('invalid_redirect_uri');
		await registered(at, { redirect_uris: ['http://127.0.0.1/cb'], token_endpoint_auth_method: 'none' });
	},
	'RFC 7592: Change a registration': async (at) => {
		expect(await registered(at, {})).not.toHaveProperty('registration_client_uri');
	},
	'RFC 8707 §2: Take several resource values': async (at) => {
		const twice = '&resource=https%3A%2F%2Fa.example%2F&resource=urn%3Aother';
		const page = await at.user().open(`/ws/oauth2/auth/?${queryOf(at.viewer, pkce)}${twice}`);
		expect(page.text).toContain('name="password"');
		const { refresh_token } = await standardTokens(at);
		const form = encode({ grant_type: 'refresh_token', refresh_token });
		expect((await at.token(form + twice, ...basic(at.viewer))).status).toBe(200);
	},
	'RFC 8707 §2: Reject what is no absolute URI without a fragment': async (at) => {
		for (const resource of ['/path', 'https://a.example/#x', 'a b:c']) {
			const asked = await at.user().authorize(at.viewer, { ...pkce, resource });
			expect(asked.parameter('error'), resource).toBe('invalid_target');
			const sent = await at.token({ grant_type: 'refresh_token', refresh_token: 'x', resource }, ...basic(at.viewer));
			expect(sent.error, resource).toBe('invalid_target');
		}
	},
	'RFC 8707 §2.2: Reject a resource that the authorization request did not name':
		'tests/conformance/cases/standard-resource-indicators.ts, for codes and refresh tokens',
	'RFC 8707 §2: Restrict tokens to the resources that were named': async (at) => {
		const code = await codeWithPkce(at.user(), at.viewer, { resource: 'https://a.example/' });
		const { access_token } = (await exchangeWithPkce(at, code)).tokens;
		expect((await readCharacter(at, access_token)).status).toBe(401);
		const response = await at.post('/ws/oauth2/introspect', { token: access_token }, ...basic(at.viewer));
		expect(response.json()).toMatchObject({ active: true, aud: ['https://a.example/'] });
	},
	'CIMD §3: client_id is an HTTPS URL with a path, without fragment, user name and dot segments': documentCases,
	'CIMD §4: 200 only, and no redirect is followed': fetchTest,
	'CIMD §4.1: client_id in the document equals the URL as text': documentCases,
	'CIMD §4.1: No secret in the document, and no method with one': documentCases,
	'CIMD §4.4: Respect cache headers, and cache no errors': fetchTest,
	'CIMD §4.5: The redirect URI is exactly one of the document': documentCases,
	'CIMD §6.3: Ask users again when a document changed': documentCases,
	'CIMD §6.4: Show the host of client_id to the user': documentCases,
	'CIMD §6.5: Fetch from no special-use address, but for loopback from loopback': fetchTest,
	'CIMD §6.6: Limit the size of documents': fetchTest,
	'RFC 8628 §3.1: Authenticate the client at the device authorization endpoint': async (at) => {
		const wrong = await at.post(deviceEndpoint, { client_id: 'character-viewer', client_secret: 'wrong' });
		expect([wrong.status, wrong.error]).toEqual([401, 'invalid_client']);
		expect((await at.post(deviceEndpoint, { client_id: 'character-viewer' })).error).toBe('invalid_client');
	},
	'RFC 8628 §3.3.1: Show the user code on the page that a complete URI opens': async (at) => {
		const { user_code, verification_uri_complete } = Object(
			(await at.post(deviceEndpoint, { client_id: 'pocket-companion' })).json()
		);
		const user = at.user();
		await user.signIn();
		expect((await user.open(verification_uri_complete)).text).toContain(`<code>${user_code}</code>`);
	},
	'RFC 8628 §3.5: authorization_pending, slow_down, access_denied, expired_token':
		'tests/conformance/cases/standard-devices.ts, by the clock',
	'RFC 8628 §5.1: Limit guesses of user codes': async (at) => {
		const user = at.user();
		await user.signIn();
		const guess = () => user.open('/ws/oauth2/device?user_code=BCDF-GHJK');
		for (let guesses = 0; guesses < 100; guesses++) expect((await guess()).status).toBe(400);
		expect((await guess()).status).toBe(429);
	},
	'RFC 8252 §7.1: Offer private-use schemes': async (at) => {
		const app = await at.register('installed', ['com.example.app:/callback']);
		expect(await codeWithPkce(at.user(), app)).toHaveLength(43);
	},
	'RFC 8252 §8.4: Reject schemes without a period': async (at) => {
		const application = { name: 'App', kind: 'installed', redirect_uris: ['cursor://cb'] };
		expect((await at.controlled('POST', 'applications', application)).text).toContain('warnings');
	},
	'RFC 8693 §1.1: Delegation with act, and impersonation': 'tests/conformance/cases/standard-token-exchange.ts',
	'RFC 8693 §2.1: Reject what is no valid token of a supported type':
		'tests/conformance/cases/standard-token-exchange.ts',
	'RFC 8693 §2.2.1: Return issued_token_type, and the scope': 'tests/conformance/cases/standard-token-exchange.ts',
	'RFC 8693 §4.4: may_act in tokens': 'tests/conformance/cases/standard-token-exchange.ts, by another application',
	'RFC 9449 §4.3: Check method, URL, key, signature, time and jti of each proof':
		'tests/conformance/cases/standard-dpop.ts',
	'RFC 9449 §5: Bind the refresh tokens of clients without a secret': 'tests/conformance/cases/standard-dpop.ts',
	'RFC 9449 §7.1: Reject bound tokens without a proof of their key, and with Bearer':
		'tests/conformance/cases/standard-dpop.ts',
	'RFC 9449 §8, §9: Nonces at both servers': 'tests/conformance/cases/standard-dpop.ts',
	'RFC 9449 §10: Bind a code to a key by dpop_jkt': 'tests/conformance/cases/standard-dpop.ts',
	'RFC 9449 §10.1: A proof in pushed authorization requests': 'tests/service/standard-misuse.test.ts',
	'RFC 9110 §8.3.2: Parameters of a media type': async (at) => {
		const type = ['Content-Type', 'application/x-www-form-urlencoded; charset=ISO-8859-1'];
		const send = (body: string) =>
			at.send({ method: 'POST', target: '/ws/oauth2/token/', headers: [...type, ...basic(at.viewer)], body });
		expect((await send('grant_type=refresh_token&refresh_token=x')).error).toBe('invalid_grant');
		expect((await send('grant_type=refresh_token&refresh_token=é')).error).toBe('invalid_request');
	},
	'RFC 9110 §9.1, §9.3.2: GET and HEAD at every resource': async (at) => {
		for (const target of ['/ws/oauth2/jwks', '/.well-known/openid-configuration']) {
			const response = await at.send({ method: 'HEAD', target });
			expect([response.status, response.text]).toEqual([200, '']);
			expect(response.header('content-type')).toBe((await at.get(target)).header('content-type'));
		}
		expect((await at.send({ method: 'HEAD', target: '/ws/oauth2/auth/' })).status).toBe(405);
	},
	'RFC 9110 §9.1: 501 for an unknown method': async (at) => {
		expect((await at.send({ method: 'UNKNOWN', target: '/ws/oauth2/jwks' })).status).toBe(405);
	},
	'RFC 9110 §9.2.1: GET has no other effect than the client asked for': async (at) => {
		const { refresh_token } = await standardTokens(at);
		expect((await at.revoke(refresh_token)).status).toBe(405);
	},
	'RFC 9110 §9.3.7: Name the methods in the response to OPTIONS': async (at) => {
		const allow = async (target: string) => (await at.send({ method: 'OPTIONS', target })).header('allow');
		expect(await allow('/ws/oauth2/jwks')).toBe('GET, HEAD, OPTIONS');
		expect(await allow('/ws/oauth2/userinfo')).toBe('GET, HEAD, POST, OPTIONS');
		expect(await allow('/ws/oauth2/token/')).toBe('POST, OPTIONS');
	},
	'RFC 9110 §9.3.8: Reflect nothing in the response to TRACE': async (at) => {
		const headers = ['Authorization', 'Bearer secret'];
		const response = await at.send({ method: 'TRACE', target: '/ws/oauth2/token/', headers });
		expect([response.status, response.text.includes('secret')]).toEqual([405, false]);
	},
	'RFC 9110 §15.5.6: 405 with Allow': async (at) => {
		const targets = ['auth/', 'token/', 'revoke', 'introspect', 'register', 'userinfo', 'jwks', 'logout'];
		for (const target of targets) {
			const response = await at.send({ method: 'DELETE', target: `/ws/oauth2/${target}` });
			expect([response.status, response.header('allow')], target).toEqual([405, expect.stringMatching(/GET|POST/)]);
		}
	}
};
