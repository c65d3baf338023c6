import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMswNode } from './hosts/msw-node.ts';
import { rotate } from './openid.ts';
import { Sandbox } from './sandbox.ts';
import type { Transport } from './transport.ts';

// Unmodified libraries with what extends OAuth: signed access tokens.

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
