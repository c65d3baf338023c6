import { Agent, request } from 'node:https';
import * as oauth from 'oauth4webapi';
import { AuthorizationCode } from 'simple-oauth2';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testCertificate } from '../hosts/certificate.ts';
import { codeOf } from './user-agent.ts';
import { startNode } from './hosts/node.ts';
import { Sandbox } from './sandbox.ts';
import type { Transport } from './transport.ts';

// Unmodified third-party clients over HTTPS: exchange, refresh, resource request, revoke.

const character = v.looseObject({ name: v.string(), location: v.object({ place: v.string() }) });
let transport: Transport;
let at: Sandbox;
let authority: string;

beforeAll(async () => {
	authority = (await testCertificate()).authority.cert;
	transport = await startNode();
	at = await Sandbox.create(transport);
});
afterAll(() => transport.close());

it('oauth4webapi', async () => {
	const server: oauth.AuthorizationServer = {
		issuer: at.base_url,
		authorization_endpoint: `${at.base_url}/ws/oauth2/auth/`,
		token_endpoint: `${at.base_url}/ws/oauth2/token/`
	};
	const { client_id, client_secret, redirect_uri } = at.viewer;
	const client: oauth.Client = { client_id };
	const authentication = oauth.ClientSecretPost(client_secret);
	const options = { [oauth.customFetch]: trusting, recognizedTokenTypes: { oauth: () => undefined } };

	const code_verifier = oauth.generateRandomCodeVerifier();
	const state = oauth.generateRandomState();
	const response = await at.user().allow(at.viewer, {
		scope: 'character_read location_read',
		access_type: 'offline',
		code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
		code_challenge_method: 'S256',
		state
	});
	const callback = oauth.validateAuthResponse(server, client, new URL(response.location), state);
	const exchanged = await oauth.processAuthorizationCodeResponse(
		server,
		client,
		await oauth.authorizationCodeGrantRequest(
			server,
			client,
			authentication,
			callback,
			redirect_uri,
			code_verifier,
			options
		),
		options
	);
	expect(exchanged).toMatchObject({ token_type: 'oauth', expires_in: 3920, scope: 'character_read location_read' });
	await readsCharacter(exchanged.access_token);

	const refresh = () =>
		oauth.refreshTokenGrantRequest(server, client, authentication, exchanged.refresh_token ?? '', options);
	const refreshed = await oauth.processRefreshTokenResponse(server, client, await refresh(), options);
	await readsCharacter(refreshed.access_token);

	const url = `${at.base_url}/ws/oauth2/revoke?token=${exchanged.refresh_token ?? ''}&client_id=${client_id}`;
	expect((await trusting(url)).status).toBe(200);
	await expect(oauth.processRefreshTokenResponse(server, client, await refresh(), options)).rejects.toThrow(
		expect.objectContaining({ error: 'invalid_grant' })
	);
	expect((await callCharacter(refreshed.access_token)).status).toBe(401);
});

it('oauth4webapi reports that the user denied access', async () => {
	const server: oauth.AuthorizationServer = { issuer: at.base_url };
	const user = at.user('player-three');
	const response = await user.decide(await user.openConsent(at.viewer, { state: 's' }), 'deny');
	const validate = () =>
		oauth.validateAuthResponse(server, { client_id: 'character-viewer' }, new URL(response.location), 's');
	expect(validate).toThrow(expect.objectContaining({ error: 'access_denied' }));
});

it('simple-oauth2', async () => {
	const { client_id, client_secret, redirect_uri } = at.viewer;
	const client = new AuthorizationCode({
		client: { id: client_id, secret: client_secret },
		auth: {
			tokenHost: at.base_url,
			tokenPath: `${at.prefix}/ws/oauth2/token/`,
			authorizePath: `${at.prefix}/ws/oauth2/auth/`
		},
		options: { authorizationMethod: 'body' },
		http: { agent: new Agent({ ca: authority }) }
	});
	const user = at.user('player-one');
	const parameters = { redirect_uri, scope: 'character_read location_read', state: 's', access_type: 'offline' };
	const asked = client.authorizeURL(parameters);
	let page = await user.open(asked);
	if (page.text.includes('name="password"')) page = await user.signInOn(page);
	const response = page.status === 303 ? page : await user.decide(page);
	const token = await client.getToken({ code: codeOf(response), redirect_uri });
	await readsCharacter(String(token.token.access_token));
	const refreshed = await token.refresh();
	await readsCharacter(String(refreshed.token.access_token));
	const revoke = `${at.base_url}/ws/oauth2/revoke?token=${String(token.token.refresh_token)}&client_id=${client_id}`;
	expect((await trusting(revoke)).status).toBe(200);
	await expect(token.refresh()).rejects.toThrow(/400/);
});

async function readsCharacter(access_token: string): Promise<void> {
	const response = await callCharacter(access_token);
	expect(response.headers.get('x-ratelimit-limit')).toBe('600');
	const shown = v.parse(character, await response.json());
	expect([shown.name, shown.location.place]).toEqual(['Mara Vell', 'Lantern Quay']);
}

function callCharacter(access_token: string): Promise<Response> {
	return trusting(`${at.base_url}/ws/v2.0/character/Mara%20Vell`, {
		headers: { authorization: `OAuth ${access_token}` }
	});
}

/** Node's `fetch` takes no certificate of our own authority: the same over `node:https`, with the chain checked. */
function trusting(url: string, init: { method?: string; headers?: object; body?: unknown } = {}): Promise<Response> {
	const { method = 'GET', headers = {}, body } = init;
	const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
	return new Promise((resolve, reject) => {
		const call = request(url, { method, headers: sent, ca: authority }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('end', () => {
				const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
				resolve(new Response(Buffer.concat(chunks), { status: response.statusCode ?? 0, headers: pairs }));
			});
		});
		call.on('error', reject);
		call.end(body instanceof URLSearchParams ? body.toString() : undefined);
	});
}
