import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { showsFlows } from '../client-flows.ts';
import { startMswNode } from './hosts/msw-node.ts';
import { rotate } from './openid.ts';
import { Sandbox } from './sandbox.ts';
import { standardTokens } from './standard.ts';
import type { Transport } from './transport.ts';

// Unmodified libraries with what extends OAuth: signed access tokens, pushed requests, signed assertions.

let transport: Transport;
let at: Sandbox;

beforeAll(async () => {
	transport = await startMswNode();
});
afterAll(() => transport.close());
beforeEach(async () => {
	at = await Sandbox.create(transport);
	await at.changeSettings({ dialect: 'standard' });
	await rotate(at, 'ES256');
});

/** The metadata of the service, as oauth4webapi finds it. */
async function discover(): Promise<oauth.AuthorizationServer> {
	const issuer = new URL(at.base_url);
	return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' }));
}

/** Signs in and allows access. Returns where the browser goes then. */
async function signInAt(url: string): Promise<URL> {
	const user = at.user();
	const first = await user.open(url);
	const consent = await user.signInOn(await user.open(first.location));
	return new URL((await user.decide(consent)).location);
}

test('a resource server verifies a signed access token with oauth4webapi, for its own audience only', async () => {
	await at.changeSettings({ jwt_access_tokens: true });
	const server = await discover();
	const [client, audience] = [{ client_id: at.viewer.client_id }, 'https://api.example/'];
	const secret = oauth.ClientSecretBasic(at.viewer.client_secret);
	const asked = await oauth.clientCredentialsGrantRequest(server, client, secret, { resource: audience });
	const { access_token } = await oauth.processClientCredentialsResponse(server, client, asked);
	const request = () => new Request(audience, { headers: { authorization: `Bearer ${access_token}` } });
	expect(await oauth.validateJwtAccessToken(server, request(), audience)).toMatchObject({
		client_id: client.client_id
	});
	const other = oauth.validateJwtAccessToken(server, request(), 'https://other.example/');
	await expect(other).rejects.toThrow('"aud"');
});

test('oauth4webapi pushes a request, and exchanges the code', async () => {
	const server = await discover();
	const { client_id, client_secret, redirect_uri } = at.viewer;
	const client = { client_id };
	const authentication = oauth.ClientSecretBasic(client_secret);
	const verifier = oauth.generateRandomCodeVerifier();
	const parameters = new URLSearchParams({
		response_type: 'code',
		redirect_uri,
		scope: 'character_read',
		state: 's',
		code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
		code_challenge_method: 'S256'
	});
	const sent = await oauth.pushedAuthorizationRequest(server, client, authentication, parameters);
	const { request_uri } = await oauth.processPushedAuthorizationResponse(server, client, sent);
	const url = new URL(server.authorization_endpoint ?? '');
	url.search = new URLSearchParams({ client_id, request_uri }).toString();
	const callback = oauth.validateAuthResponse(server, client, await signInAt(url.href), 's');
	const request = [server, client, authentication, callback, redirect_uri, verifier] as const;
	const exchanged = await oauth.authorizationCodeGrantRequest(...request);
	expect((await oauth.processAuthorizationCodeResponse(server, client, exchanged)).scope).toBe('character_read');
	showsFlows('oauth4webapi 3', 'PAR');
});

test('openid-client pushes a request, also where nothing else is allowed', async () => {
	await at.changeSettings({ require_pushed_requests: true });
	const { client_id, client_secret, redirect_uri } = at.viewer;
	const config = await openid.discovery(new URL(at.base_url), client_id, client_secret);
	const [pkceCodeVerifier, expectedNonce] = [openid.randomPKCECodeVerifier(), openid.randomNonce()];
	const url = await openid.buildAuthorizationUrlWithPAR(config, {
		redirect_uri,
		scope: 'openid',
		nonce: expectedNonce,
		code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
		code_challenge_method: 'S256'
	});
	expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
	const checks = { pkceCodeVerifier, expectedNonce, idTokenExpected: true };
	const tokens = await openid.authorizationCodeGrant(config, await signInAt(url.href), checks);
	expect(tokens.claims()?.sub).toBe('player-one');
});

/** A key pair whose public part is registered for the viewer. */
async function registerKey(): Promise<oauth.PrivateKey> {
	const { privateKey, publicKey } = await oauth.generateKeyPair('ES256');
	const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
	const jwks = { keys: [{ kty, crv, x, y, kid: 'key-1' }] };
	expect((await at.controlled('PATCH', `applications/${at.viewer.client_id}`, { jwks })).status).toBe(200);
	return { key: privateKey, kid: 'key-1' };
}

test('oauth4webapi signs an assertion for each request', async () => {
	const authentication = oauth.PrivateKeyJwt(await registerKey());
	const [server, client] = [await discover(), { client_id: at.viewer.client_id }];
	for (let request = 0; request < 2; request++) {
		const asked = await oauth.clientCredentialsGrantRequest(server, client, authentication, {});
		const { access_token } = await oauth.processClientCredentialsResponse(server, client, asked);
		const described = await oauth.introspectionRequest(server, client, authentication, access_token);
		expect((await oauth.processIntrospectionResponse(server, client, described)).active).toBe(true);
	}
	showsFlows('oauth4webapi 3', 'credentials', 'assertion');
});

test('openid-client signs assertions for a pushed request, the exchange, the refresh and the revocation', async () => {
	const key = await registerKey();
	const { client_id, redirect_uri } = at.viewer;
	const config = await openid.discovery(new URL(at.base_url), client_id, undefined, openid.PrivateKeyJwt(key));
	const pkceCodeVerifier = openid.randomPKCECodeVerifier();
	const url = await openid.buildAuthorizationUrlWithPAR(config, {
		redirect_uri,
		scope: 'character_read',
		code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
		code_challenge_method: 'S256'
	});
	const tokens = await openid.authorizationCodeGrant(config, await signInAt(url.href), { pkceCodeVerifier });
	const { refresh_token = '' } = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
	await openid.tokenRevocation(config, refresh_token);
	showsFlows('openid-client 6', 'PAR', 'assertion');
});

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token';

test('oauth4webapi exchanges the token of a user for one with fewer scopes', async () => {
	const { access_token } = await standardTokens(at);
	const [server, client] = [await discover(), { client_id: at.viewer.client_id }];
	const parameters = { subject_token: access_token, subject_token_type, scope: 'character_read' };
	const authentication = oauth.ClientSecretBasic(at.viewer.client_secret);
	const asked = await oauth.genericTokenEndpointRequest(server, client, authentication, tokenExchange, parameters);
	const tokens = await oauth.processGenericTokenEndpointResponse(server, client, asked);
	expect(tokens).toMatchObject({ scope: 'character_read', issued_token_type: subject_token_type });
	showsFlows('oauth4webapi 3', 'exchange');
});

test('openid-client gets a token for itself, exchanges one of a user, and signs the user out', async () => {
	const { client_id, client_secret } = at.viewer;
	const config = await openid.discovery(new URL(at.base_url), client_id, client_secret);
	expect((await openid.clientCredentialsGrant(config, { scope: 'character_read' })).scope).toBe('character_read');
	const { access_token } = await standardTokens(at);
	const parameters = { subject_token: access_token, subject_token_type };
	const exchanged = await openid.genericGrantRequest(config, tokenExchange, parameters);
	expect(exchanged.issued_token_type).toBe(subject_token_type);
	const { href } = openid.buildEndSessionUrl(config);
	const user = at.user();
	await user.signIn();
	expect((await user.open(href)).text).toContain('Sign out');
	showsFlows('openid-client 6', 'credentials', 'exchange', 'sign-out');
});
