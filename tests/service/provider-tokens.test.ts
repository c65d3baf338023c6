import { expect, it } from 'vitest';
import { createTestService, type TestService } from './test-service.ts';

const secret = 'character-viewer:viewer-secret';
const metadataPath = '/.well-known/openid-configuration';

/** A client of a provider below the sandbox, or at a real host. */
function createClient({ transport }: TestService, below: string, host: string) {
	const redirect_uri = `${transport.origin}/viewer/callback`;
	const place = ['X-Forwarded-Host', host];
	const post = async (target: string, form: Record<string, string>) => {
		const type = ['Content-Type', 'application/x-www-form-urlencoded', 'Authorization', `Basic ${btoa(secret)}`];
		const body = new URLSearchParams(form).toString();
		const response = await transport.send({ method: 'POST', target, headers: [...place, ...type], body });
		return JSON.parse(response?.body ?? '');
	};
	return {
		metadata: async () =>
			JSON.parse((await transport.send({ target: below + metadataPath, headers: place }))?.body ?? ''),
		signIn: async (tokenPath: string, scope: string, more: Record<string, string> = {}) => {
			const asked = { response_type: 'code', client_id: 'character-viewer', state: 's0', redirect_uri, scope };
			const query = new URLSearchParams({ ...asked, ...more }).toString();
			const response = await transport.send({
				method: 'POST',
				target: '/control/authorizations',
				headers: ['Content-Type', 'application/json'],
				body: JSON.stringify({ username: 'player-one', query, provider: below.split('/')[2] })
			});
			const code = new URL(JSON.parse(response?.body ?? '').location).searchParams.get('code') ?? '';
			return post(below + tokenPath, { grant_type: 'authorization_code', code, redirect_uri });
		},
		/** What the trace says of a call. */
		names: async (path: string, token: string): Promise<readonly unknown[]> => {
			await transport.send({ target: below + path, headers: [...place, 'Authorization', `Bearer ${token}`] });
			const { entries } = JSON.parse((await transport.send({ target: '/control/traffic' }))?.body ?? '');
			return entries
				.findLast(({ endpoint }: { endpoint: string }) => endpoint !== 'control')
				.trace.map(({ name }: { name: string }) => name);
		},
		refresh: (tokenPath: string, refresh_token: string) =>
			post(below + tokenPath, { grant_type: 'refresh_token', refresh_token })
	};
}

function claimsOf(token: string): unknown {
	return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

it('has one issuer for each realm, at the real URLs and below the sandbox', async () => {
	const test = createTestService();
	const real = createClient(test, '/as/keycloak/realms/shop', 'my.keycloak.org');
	const issuer = 'https://my.keycloak.org/realms/shop';
	const token_endpoint = `${issuer}/protocol/openid-connect/token`;
	expect(await real.metadata()).toMatchObject({ issuer, token_endpoint });
	const tokens = await real.signIn('/protocol/openid-connect/token', 'openid');
	const user = { sub: 'player-one', azp: 'character-viewer' };
	expect(claimsOf(tokens.access_token)).toMatchObject({ iss: issuer, aud: issuer, ...user });
	expect(claimsOf(tokens.id_token)).toMatchObject({ iss: issuer });
	const other = createClient(test, '/as/keycloak/realms/games', 'tollgate.test');
	expect(await other.metadata()).toMatchObject({
		issuer: `${test.transport.origin}/as/keycloak/realms/games`,
		jwks_uri: `${test.transport.origin}/as/keycloak/realms/games/protocol/openid-connect/certs`
	});
});

it('has the endpoints of the server that a client asks, where a provider has several', async () => {
	const test = createTestService();
	const host = 'example.okta.com';
	const issuers = ['/as/okta', '/as/okta/oauth2/default', '/as/okta/oauth2/shop'].map(async (below) => {
		const { issuer, token_endpoint } = await createClient(test, below, host).metadata();
		return [issuer, token_endpoint];
	});
	expect(await Promise.all(issuers)).toEqual([
		['https://example.okta.com', 'https://example.okta.com/oauth2/v1/token'],
		['https://example.okta.com/oauth2/default', 'https://example.okta.com/oauth2/default/v1/token'],
		['https://example.okta.com/oauth2/shop', 'https://example.okta.com/oauth2/shop/v1/token']
	]);
});

it('signs an access token for the audience that was asked for', async () => {
	const auth0 = createClient(createTestService(), '/as/auth0', 'example.auth0.com');
	const audience = 'https://api.example.com';
	const { access_token } = await auth0.signIn('/oauth/token', 'openid', { audience });
	const sub = expect.stringMatching(/^auth0\|\w{10}$/);
	expect(claimsOf(access_token)).toMatchObject({ iss: 'https://example.auth0.com/', aud: audience, sub });
	const opaque = await auth0.signIn('/oauth/token', 'openid');
	expect(opaque.access_token).not.toContain('.');
	expect(claimsOf(opaque.id_token)).toMatchObject({ iss: 'https://example.auth0.com/', sub });
});

it('takes a replaced refresh token for as long as the provider does', async () => {
	const test = createTestService();
	const okta = createClient(test, '/as/okta/oauth2/v1', 'example.okta.com');
	const first = await okta.signIn('/token', 'openid offline_access');
	const second = await okta.refresh('/token', first.refresh_token);
	test.clock += 29_000;
	expect((await okta.refresh('/token', first.refresh_token)).refresh_token).toBe(second.refresh_token);
	test.clock += 2000;
	expect(await okta.refresh('/token', first.refresh_token)).toEqual({
		error: 'invalid_grant',
		error_description: 'The refresh token is invalid or expired.'
	});
});

it('names the host of the API, and the time in milliseconds', async () => {
	const test = createTestService();
	const salesforce = createClient(test, '/as/salesforce', 'login.salesforce.com');
	const tokens = await salesforce.signIn('/services/oauth2/token', 'openid api');
	const id = expect.stringMatching(/^https:\/\/login\.salesforce\.com\/id\/00D\w{12}\/005\w{12}$/);
	expect(tokens).toMatchObject({
		instance_url: 'https://tollgate.my.salesforce.com',
		issued_at: String(test.clock),
		id
	});
	expect(claimsOf(tokens.id_token)).toMatchObject({ iss: 'https://login.salesforce.com', sub: id });
});

it('names the surprise of the case that decided, and none for another case', async () => {
	const keycloak = createClient(createTestService(), '/as/keycloak/realms/shop', 'my.keycloak.org');
	const namesOf = async (token: string) => keycloak.names('/protocol/openid-connect/userinfo', token);
	const { access_token } = await keycloak.signIn('/protocol/openid-connect/token', 'profile');
	expect(await namesOf(access_token)).toContain('Keycloak: userinfo needs openid');
	const dead = await namesOf('unknown');
	expect(dead).toContain('Keycloak: userinfo has errors without a body');
	expect(dead).not.toContain('Keycloak: userinfo needs openid');
});

it('has the challenge of a missing scope at the API of Okta, and no body', async () => {
	const test = createTestService();
	const { access_token } = await createClient(test, '/as/okta/oauth2/v1', 'example.okta.com').signIn(
		'/token',
		'openid'
	);
	const call = async (token: string) => {
		const headers = ['Authorization', `Bearer ${token}`];
		const response = await test.transport.send({ target: '/as/okta/api/v1/users/me', headers });
		const at = response?.headers.indexOf('WWW-Authenticate') ?? -1;
		return [response?.status, response?.body.slice(0, 24), at === -1 ? undefined : response?.headers[at + 1]];
	};
	expect(await call(access_token)).toEqual([403, '', expect.stringContaining('error="insufficient_scope"')]);
	expect(await call('unknown')).toEqual([401, '{"errorCode":"E0000011",', undefined]);
});
