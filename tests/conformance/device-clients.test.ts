import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { showsFlows } from '../client-flows.ts';
import { startMswNode } from './hosts/msw-node.ts';
import { Sandbox } from './sandbox.ts';
import type { Transport } from './transport.ts';

// Unmodified libraries that get access for a device. They know the issuer and the client id.

const client_id = 'pocket-companion';
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

async function approve(user_code: string): Promise<void> {
	const user = at.user();
	await user.signIn();
	const page = await user.open(`/ws/oauth2/device?user_code=${user_code}`);
	const form = { csrf_token: page.hidden('csrf_token'), user_code, decision: 'approve' };
	expect((await user.post('/ws/oauth2/device', form)).status).toBe(200);
}

test('oauth4webapi gets codes, waits, and gets tokens', async () => {
	const issuer = new URL(at.base_url);
	const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' });
	const server = await oauth.processDiscoveryResponse(issuer, found);
	const client = { client_id };
	const asked = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), { scope: 'character_read' });
	const { device_code, user_code } = await oauth.processDeviceAuthorizationResponse(server, client, asked);
	const poll = async () =>
		oauth.processDeviceCodeResponse(
			server,
			client,
			await oauth.deviceCodeGrantRequest(server, client, oauth.None(), device_code)
		);
	await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' });
	await approve(user_code);
	const { access_token, refresh_token } = await poll();
	expect(typeof refresh_token).toBe('string');
	const response = await at.get('/ws/v2.0/ratelimits', 'Authorization', `Bearer ${access_token}`);
	expect(response.status).toBe(200);
	showsFlows('oauth4webapi 3', 'device');
});

test('openid-client polls, and gets an ID token', async () => {
	const config = await openid.discovery(new URL(at.base_url), client_id, undefined, openid.None());
	const codes = await openid.initiateDeviceAuthorization(config, { scope: 'openid character_read' });
	await approve(codes.user_code);
	// No poll came before, so it need not wait.
	const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0.01 });
	expect(tokens.claims()).toMatchObject({ sub: 'player-one', aud: client_id });
	showsFlows('openid-client 6', 'device');
});
