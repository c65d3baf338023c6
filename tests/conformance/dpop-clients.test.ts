import * as DPoP from 'dpop';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { showsFlows } from '../client-flows.ts';
import { startMswNode } from './hosts/msw-node.ts';
import { Sandbox } from './sandbox.ts';
import type { Transport } from './transport.ts';
import { codeOf } from './user-agent.ts';

// Unmodified libraries whose tokens are bound to a key (RFC 9449). They know the issuer and the application.

let transport: Transport;
let at: Sandbox;

beforeAll(async () => {
	transport = await startMswNode();
});
afterAll(() => transport.close());
beforeEach(async () => {
	at = await Sandbox.create(transport);
	await at.changeSettings({ dialect: 'standard' });
});

describe.each([false, true])('with dpop_nonce %s', (dpop_nonce) => {
	beforeEach(() => at.changeSettings({ dpop_nonce }));

	test('oauth4webapi exchanges a code, refreshes, and calls a resource', async () => {
		const { client_id, client_secret, redirect_uri } = at.viewer;
		const issuer = new URL(at.base_url);
		const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' });
		const server = await oauth.processDiscoveryResponse(issuer, found);
		const client: oauth.Client = { client_id };
		const authentication = oauth.ClientSecretBasic(client_secret);
		const keys = await oauth.generateKeyPair('ES256');
		const handle = oauth.DPoP(client, keys);
		const verifier = oauth.generateRandomCodeVerifier();
		const code = codeOf(
			await at.user().allow(at.viewer, {
				state: 'state-of-this-test',
				code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
				code_challenge_method: 'S256',
				dpop_jkt: await handle.calculateThumbprint()
			})
		);
		const callback = new URL(`${redirect_uri}?${new URLSearchParams({ code, iss: at.base_url }).toString()}`);
		const parameters = oauth.validateAuthResponse(server, client, callback, oauth.skipStateCheck);
		const options = { DPoP: handle };
		const exchanged = await onceMore(() =>
			oauth
				.authorizationCodeGrantRequest(server, client, authentication, parameters, redirect_uri, verifier, options)
				.then((response) => oauth.processAuthorizationCodeResponse(server, client, response))
		);
		expect(exchanged.token_type).toBe('dpop');
		const refreshed = await onceMore(() =>
			oauth
				.refreshTokenGrantRequest(server, client, authentication, exchanged.refresh_token ?? '', options)
				.then((response) => oauth.processRefreshTokenResponse(server, client, response))
		);
		const url = new URL(`${at.base_url}/ws/v2.0/ratelimits`);
		const call = () =>
			oauth.protectedResourceRequest(refreshed.access_token, 'GET', url, new Headers(), undefined, options);
		expect((await onceMore(call)).status).toBe(200);
		const described = await oauth.introspectionRequest(server, client, authentication, refreshed.access_token);
		const { cnf } = await oauth.processIntrospectionResponse(server, client, described);
		expect(cnf).toEqual({ jkt: await handle.calculateThumbprint() });
		showsFlows('oauth4webapi 3', 'DPoP');
	});

	test('openid-client gets a bound token, and reads the user', async () => {
		const { client_id, client_secret, redirect_uri } = at.viewer;
		const config = await openid.discovery(new URL(at.base_url), client_id, client_secret);
		const handle = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'));
		const verifier = openid.randomPKCECodeVerifier();
		const url = openid.buildAuthorizationUrl(config, {
			redirect_uri,
			scope: 'openid profile',
			code_challenge: await openid.calculatePKCECodeChallenge(verifier),
			code_challenge_method: 'S256'
		});
		const code = codeOf(await at.user().allow(at.viewer, Object.fromEntries(url.searchParams)));
		const callback = new URL(`${redirect_uri}?${new URLSearchParams({ code, iss: at.base_url }).toString()}`);
		// It repeats a request itself that needs a nonce.
		const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier }, undefined, {
			DPoP: handle
		});
		const user = await openid.fetchUserInfo(config, tokens.access_token, 'player-one', { DPoP: handle });
		expect(user).toMatchObject({ sub: 'player-one', preferred_username: 'player-one' });
		showsFlows('openid-client 6', 'DPoP');
	});

	test('a client with the package dpop gets a token for itself, and uses it', async () => {
		const { client_id, client_secret } = at.viewer;
		const keys = await DPoP.generateKeyPair('RS256');
		let nonce: string | undefined;
		const send = async (method: string, path: string, init: RequestInit, token?: string): Promise<Response> => {
			const proof = await DPoP.generateProof(keys, `${at.base_url}${path}`, method, nonce, token);
			const headers = { DPoP: proof, ...(token !== undefined && { Authorization: `DPoP ${token}` }) };
			const response = await fetch(`${at.base_url}${path}`, { method, headers, ...init });
			nonce = response.headers.get('DPoP-Nonce') ?? nonce;
			return response;
		};
		const form = () =>
			send('POST', '/ws/oauth2/token/', {
				body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
			});
		if (dpop_nonce) expect((await form()).status).toBe(400);
		const tokens = Object(await (await form()).json());
		expect(tokens.token_type).toBe('DPoP');
		const response = await send('GET', '/ws/v2.0/character/Mara%20Vell', {}, String(tokens.access_token));
		expect([response.status, response.headers.has('DPoP-Nonce')]).toEqual([200, dpop_nonce]);
	});
});

/** Sends a request again that failed for want of a nonce, as the documentation of the library says. */
async function onceMore<T>(request: () => Promise<T>): Promise<T> {
	try {
		return await request();
	} catch (fault) {
		if (oauth.isDPoPNonceError(fault)) return request();
		throw fault;
	}
}
