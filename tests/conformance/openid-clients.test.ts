import * as openid from 'openid-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { idTokenFaults } from '#api/control/fault-rules.ts';
import { startMswNode } from './hosts/msw-node.ts';
import { rotate } from './openid.ts';
import { Sandbox } from './sandbox.ts';
import type { Transport } from './transport.ts';

// An unmodified client of OpenID Connect that knows the issuer and its registration. `tests/nightly/openid-clients.test.ts` has more.

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

/** Finds the service by its issuer, as the documentation of openid-client says. It verifies signatures, which is an option. */
function discover(): Promise<openid.Configuration> {
	const { client_id, client_secret } = at.viewer;
	const options = { execute: [openid.enableNonRepudiationChecks] };
	return openid.discovery(new URL(at.base_url), client_id, client_secret, undefined, options);
}

/** Signs a user in. */
async function signIn(config: openid.Configuration, more: Record<string, string> = {}) {
	const verifier = openid.randomPKCECodeVerifier();
	const [state, nonce] = [openid.randomState(), openid.randomNonce()];
	const { href } = openid.buildAuthorizationUrl(config, {
		redirect_uri: at.viewer.redirect_uri,
		scope: 'openid profile',
		code_challenge: await openid.calculatePKCECodeChallenge(verifier),
		code_challenge_method: 'S256',
		state,
		nonce,
		...more
	});
	const user = at.user();
	const page = await user.signInOn(await user.open(href));
	// The grant of an earlier sign-in needs no decision.
	const { location } = page.status === 200 ? await user.decide(page) : page;
	const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
	const maxAge = more.max_age === undefined ? {} : { maxAge: Number(more.max_age) };
	return openid.authorizationCodeGrant(config, new URL(location), {
		...checks,
		...maxAge
	});
}

test('openid-client signs a user in by the issuer, and reads the user', async () => {
	const config = await discover();
	const tokens = await signIn(config, { max_age: '600' });
	expect(tokens.claims()).toMatchObject({ iss: at.base_url, sub: 'player-one', name: 'player-one' });
	const user = await openid.fetchUserInfo(config, tokens.access_token, 'player-one');
	expect(user).toEqual({ sub: 'player-one', name: 'player-one', preferred_username: 'player-one' });
	await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
});

test('openid-client goes on after a rotation to another algorithm', async () => {
	const config = await discover();
	await signIn(config);
	await rotate(at, 'ES256');
	// A client that has read the keys shortly before does not read them again.
	expect((await signIn(await discover())).claims()?.sub).toBe('player-one');
});

const reasons: Readonly<Record<string, RegExp>> = {
	id_token_signature: /signature verification failed/,
	id_token_audience: /"aud"/,
	id_token_nonce: /"nonce"/,
	id_token_expired: /"exp"/,
	id_token_key: /no applicable keys found/,
	id_token_unsigned: /"alg"/
};

test.each(idTokenFaults)('openid-client rejects %s, and nothing after it', async (kind) => {
	const config = await discover();
	await at.fault({ endpoint: 'token', kind });
	const rejected = await signIn(config).catch((error: unknown) => error);
	expect(rejected).toBeInstanceOf(openid.ClientError);
	expect(String(Object(rejected).cause)).toMatch(reasons[kind] ?? /no reason/);
	expect((await signIn(config)).claims()?.sub).toBe('player-one');
});

test('openid-client reports why a silent sign-in fails', async () => {
	const config = await discover();
	const { redirect_uri } = at.viewer;
	const url = openid.buildAuthorizationUrl(config, {
		redirect_uri,
		scope: 'openid',
		prompt: 'none',
		code_challenge: await openid.calculatePKCECodeChallenge('v'.repeat(43)),
		code_challenge_method: 'S256'
	});
	const { location } = await at.user().open(url.href);
	const exchange = openid.authorizationCodeGrant(config, new URL(location), { pkceCodeVerifier: 'v'.repeat(43) });
	await expect(exchange).rejects.toMatchObject({ error: 'login_required' });
});
