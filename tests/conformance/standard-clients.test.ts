import { auth, extractWWWAuthenticateParams, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import * as oauth from 'oauth4webapi';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, test, vi } from 'vitest';
import { showsFlows } from '../client-flows.ts';
import { startMswNode } from './hosts/msw-node.ts';
import { Sandbox } from './sandbox.ts';
import { standardLibraries } from './standard-libraries.ts';
import type { Transport } from './transport.ts';

// Unmodified third-party clients in a sandbox with the dialect of today's standards. They know the issuer, and their registration.

let transport: Transport;
let at: Sandbox;

beforeAll(async () => {
	transport = await startMswNode();
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => transport.close());
beforeEach(async () => {
	const intercepted = globalThis.fetch;
	// Arctic cancels the body of a revocation, which does not end for a response that MSW intercepts.
	vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
		const response = await intercepted(...request);
		return new Response((await response.text()) || null, response);
	});
	at = await Sandbox.create(transport);
	await at.changeSettings({ dialect: 'standard' });
});

/** What a user does at an authorization URL: signs in and allows everything. Returns where the browser goes then. */
async function signInAt(url: string): Promise<URL> {
	const user = at.user();
	const consent = await user.signInOn(await user.open(url));
	return new URL((await user.decide(consent)).location);
}

const character = () => `${at.base_url}/ws/v2.0/character/Mara%20Vell`;

async function statusOf(accessToken: string): Promise<number> {
	return (await fetch(character(), { headers: { authorization: `Bearer ${accessToken}` } })).status;
}

test.each(Object.entries(standardLibraries))(
	'%s discovers, signs in, calls, refreshes twice and revokes',
	async (name, begin) => {
		const { url, finish } = await begin({ ...at.viewer, issuer: at.base_url });
		const session = await finish(await signInAt(url));
		expect(await statusOf(session.accessToken())).toBe(200);
		for (let refresh = 0; refresh < 2; refresh++) {
			const before = session.accessToken();
			await session.refresh();
			expect(session.accessToken()).not.toBe(before);
			expect(await statusOf(session.accessToken())).toBe(200);
		}
		await session.revoke();
		expect(await statusOf(session.accessToken())).toBe(401);
		if (name === 'oauth4webapi') showsFlows('oauth4webapi 3', 'discovery', 'code', 'refresh', 'revocation');
		if (name === 'openid-client') showsFlows('openid-client 6', 'discovery', 'code', 'refresh', 'revocation');
	}
);

/** Keeps in memory what a client of the Model Context Protocol stores. */
class MemoryProvider implements OAuthClientProvider {
	readonly redirectUrl = 'http://127.0.0.1:33418/callback';
	readonly clientMetadata = {
		client_name: 'A client of the Model Context Protocol',
		redirect_uris: [this.redirectUrl],
		token_endpoint_auth_method: 'none'
	};
	client: OAuthClientInformationMixed | undefined;
	stored: OAuthTokens | undefined;
	verifier = '';
	url = '';

	clientInformation = () => this.client;
	saveClientInformation = (client: OAuthClientInformationMixed) => void (this.client = client);
	tokens = () => this.stored;
	saveTokens = (tokens: OAuthTokens) => void (this.stored = tokens);
	redirectToAuthorization = (url: URL) => void (this.url = url.href);
	saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
	codeVerifier = () => this.verifier;
}

it('the SDK of the Model Context Protocol needs the URL of a resource only', async () => {
	await at.changeSettings({ dynamic_registration: true });
	const provider = new MemoryProvider();
	const { resourceMetadataUrl } = extractWWWAuthenticateParams(await fetch(character()));
	const options = { serverUrl: character(), ...(resourceMetadataUrl && { resourceMetadataUrl }) };
	expect(await auth(provider, options)).toBe('REDIRECT');
	const authorizationCode = (await signInAt(provider.url)).searchParams.get('code') ?? '';
	expect(await auth(provider, { ...options, authorizationCode })).toBe('AUTHORIZED');
	const first = provider.stored?.access_token ?? '';
	expect(await statusOf(first)).toBe(200);

	// The tokens are stored: the SDK refreshes, and keeps the new refresh token.
	for (let refresh = 0; refresh < 2; refresh++) expect(await auth(provider, options)).toBe('AUTHORIZED');
	expect(provider.stored?.access_token).not.toBe(first);
	expect(await statusOf(provider.stored?.access_token ?? '')).toBe(200);
});

it('oauth4webapi reads the metadata of a resource, and finds the server by it', async () => {
	const resource = new URL(character());
	const response = await oauth.resourceDiscoveryRequest(resource);
	const { authorization_servers } = await oauth.processResourceDiscoveryResponse(resource, response);
	expect(authorization_servers).toEqual([at.base_url]);
});

it('oauth4webapi registers a client', async () => {
	await at.changeSettings({ dynamic_registration: true });
	const issuer = new URL(at.base_url);
	const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' });
	const server = await oauth.processDiscoveryResponse(issuer, discovered);
	const metadata = { redirect_uris: ['https://client.example/callback'], client_name: 'Registered' };
	const response = await oauth.dynamicClientRegistrationRequest(server, metadata);
	const client = await oauth.processDynamicClientRegistrationResponse(response);
	expect(client).toMatchObject({ client_name: 'Registered', token_endpoint_auth_method: 'client_secret_basic' });
});
