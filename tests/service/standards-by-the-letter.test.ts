import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { defaultAttempts } from '#service/core/quotas.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { createMemoryStore } from '#store/memory.ts';
import { ProofKey, rejectedBy } from '../conformance/dpop.ts';
import {
	basic,
	codeWithPkce,
	exchangeWithPkce,
	introspect,
	pkce,
	readCharacter,
	refreshWithBasic,
	registerClient,
	standardTokens,
	verifier
} from '../conformance/standard.ts';
import type { TestResponse } from '../conformance/response.ts';
import { codeOf } from '../conformance/user-agent.ts';
import type { App, Sandbox } from '../conformance/sandbox.ts';
import { createTestService } from './test-service.ts';

async function standardSandbox(): Promise<Sandbox> {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard', dynamic_registration: true });
	return at;
}

const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Exchanges a code with a verifier that fits its challenge. */
async function exchangeWith(at: Sandbox, code_verifier: string): Promise<TestResponse> {
	const asked = { ...pkce, code_challenge: challengeOf(code_verifier) };
	const code = codeOf(await at.user().allow(at.viewer, asked));
	return at.exchange(code, at.viewer, { code_verifier });
}

describe('the form of a code verifier (RFC 7636 §4.1)', () => {
	const failed = (cause: string) => [400, 'invalid_grant', 'token.code_verifier_matches', cause];
	it.each([
		['a'.repeat(42), 'verifier_too_short'],
		['a'.repeat(129), 'verifier_too_long'],
		[`${'a'.repeat(43)} b`, 'verifier_characters'],
		[`${'a'.repeat(43)}ü`, 'verifier_characters'],
		[`${'a'.repeat(43)}+`, 'verifier_characters'],
		[`${'a'.repeat(42)}/=`, 'verifier_characters']
	])('rejects %s, though its hash fits', async (text, cause) => {
		const at = await createTestService().sandbox();
		for (const dialect of ['specification', 'standard']) {
			await at.changeSettings({ dialect });
			expect(await rejectedBy(at, await exchangeWith(at, text)), dialect).toEqual(failed(cause));
		}
	});
	it.each(['a'.repeat(43), 'a'.repeat(128), `${'a'.repeat(43)}-._~`])('accepts %s', async (text) => {
		expect((await exchangeWith(await standardSandbox(), text)).status).toBe(200);
	});
});

describe('what a client registered (RFC 7591 §2)', () => {
	async function register(at: Sandbox, metadata: object): Promise<App> {
		const redirect_uri = 'https://client.example/cb';
		const response = await registerClient(at, { redirect_uris: [redirect_uri], ...metadata });
		const { client_id, client_secret } = Object(response.json());
		return { client_id, client_secret, redirect_uri };
	}
	const byPost = async (at: Sandbox, app: App) =>
		at.exchange(await codeWithPkce(at.user(), app), app, { code_verifier: verifier });
	const byBasic = async (at: Sandbox, app: App) => exchangeWithPkce(at, await codeWithPkce(at.user(), app), app);
	const otherMethod = [401, 'invalid_client', 'token.client_authenticated', 'other_method'];

	it('accepts the secret only where the registration response says', async () => {
		const at = await standardSandbox();
		const post = await register(at, { token_endpoint_auth_method: 'client_secret_post' });
		expect((await byPost(at, post)).status).toBe(200);
		expect(await rejectedBy(at, await byBasic(at, post))).toEqual(otherMethod);
		for (const metadata of [{}, { token_endpoint_auth_method: 'client_secret_basic' }]) {
			const app = await register(at, metadata);
			expect((await byBasic(at, app)).status).toBe(200);
			expect(await rejectedBy(at, await byPost(at, app))).toEqual(otherMethod);
		}
	});
	it('keeps both methods of applications that the owner registered', async () => {
		const at = await standardSandbox();
		expect((await byPost(at, at.viewer)).status).toBe(200);
		expect((await byBasic(at, at.viewer)).status).toBe(200);
	});
	it('says nothing of the method before the secret is right', async () => {
		const at = await standardSandbox();
		const app = await register(at, { token_endpoint_auth_method: 'client_secret_post' });
		const wrong = await byBasic(at, { ...app, client_secret: 'wrong' });
		expect(await rejectedBy(at, wrong)).toEqual([401, 'invalid_client', 'token.client_authenticated', 'wrong_secret']);
	});
	it('issues no refresh token to a client that did not register the grant', async () => {
		const at = await standardSandbox();
		const without = await register(at, { grant_types: ['authorization_code'] });
		expect((await byBasic(at, without)).tokens.refresh_token).toBeUndefined();
		const { refresh_token } = await standardTokens(at);
		expect(await rejectedBy(at, await refreshWithBasic(at, refresh_token, without))).toEqual([
			...[400, 'unauthorized_client', 'token.grant_type_supported', 'not_registered']
		]);
		for (const metadata of [{}, { grant_types: ['authorization_code', 'refresh_token'] }]) {
			const app = await register(at, metadata);
			const { tokens } = await byBasic(at, app);
			expect((await refreshWithBasic(at, tokens.refresh_token ?? '', app)).status).toBe(200);
		}
	});
	it('is in snapshots', async () => {
		const at = await standardSandbox();
		const app = await register(at, { grant_types: ['authorization_code'] });
		const snapshot = (await at.controlled('GET', 'snapshot')).json();
		expect((await at.controlled('PUT', 'snapshot', snapshot)).status).toBe(200);
		expect((await byBasic(at, app)).tokens.refresh_token).toBeUndefined();
	});
});

describe('the callers of introspection (RFC 7662 §2.1)', () => {
	const resource = 'https://api.example/data';
	async function boundToken(at: Sandbox): Promise<string> {
		const code = await codeWithPkce(at.user(), at.viewer, { resource });
		return (await exchangeWithPkce(at, code)).tokens.access_token;
	}
	const isActive = async (at: Sandbox, token: string, app: App) =>
		Object((await introspect(at, token, app)).json()).active;

	it('are the application and the resource server of the token', async () => {
		const at = await standardSandbox();
		const server = await at.register('web', ['https://api.example/callback']);
		const other = await at.register('web', ['https://other.example/callback']);
		const token = await boundToken(at);
		expect(Object((await introspect(at, token, server)).json())).toMatchObject({ active: true, aud: [resource] });
		expect(await isActive(at, token, at.viewer)).toBe(true);
		expect(await isActive(at, token, other)).toBe(false);
		const unbound = await standardTokens(at);
		expect(await isActive(at, unbound.access_token, server)).toBe(false);
		expect(await isActive(at, unbound.refresh_token, server)).toBe(false);
	});
	it('are no clients that registered an origin themselves', async () => {
		const at = await standardSandbox();
		const redirect_uri = 'https://api.example/callback';
		const { client_id, client_secret } = Object((await registerClient(at, { redirect_uris: [redirect_uri] })).json());
		expect(await isActive(at, await boundToken(at), { client_id, client_secret, redirect_uri })).toBe(false);
	});
	it('authenticate: without credentials the status is 401', async () => {
		const at = await standardSandbox();
		const response = await at.post('/ws/oauth2/introspect', { token: 'x' });
		expect([response.status, response.error, response.header('www-authenticate')]).toEqual([
			...[401, 'invalid_client', 'Basic realm="token endpoint"']
		]);
	});
});

describe('a bound token is exchanged by a client that registered itself', () => {
	const type = 'urn:ietf:params:oauth:token-type:access_token';
	it('with a proof of its key only, because anyone can register', async () => {
		const at = await standardSandbox();
		const key = await ProofKey.create();
		const code = await codeWithPkce(at.user());
		const { client_secret: _, ...fields } = at.viewer;
		const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, ...fields };
		const { access_token } = (await key.token(at, grant, {}, ...basic(at.viewer))).tokens;
		const registered = Object((await registerClient(at, { redirect_uris: ['https://thief.example/cb'] })).json());
		const sent = {
			grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
			subject_token: access_token,
			subject_token_type: type
		};
		const thief = basic(registered);
		const failed = (cause: string) => [400, 'invalid_request', 'token.subject_token_active', cause];
		expect(await rejectedBy(at, await at.token(sent, ...thief))).toEqual(failed('no_proof'));
		const other = await ProofKey.create();
		expect(await rejectedBy(at, await other.token(at, sent, {}, ...thief))).toEqual(failed('other_key'));
		expect((await key.token(at, sent, {}, ...thief)).status).toBe(200);
		const owned = await at.register('web', ['https://service.example/cb']);
		expect((await at.token(sent, ...basic(owned))).status).toBe(200);
	});
});

describe('small rules', () => {
	it('rejects actor_token_type without an actor_token (RFC 8693 §2.1)', async () => {
		const at = await standardSandbox();
		const { access_token } = await standardTokens(at);
		const type = 'urn:ietf:params:oauth:token-type:access_token';
		const response = await at.token(
			{
				grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
				subject_token: access_token,
				subject_token_type: type,
				actor_token_type: type
			},
			...basic(at.viewer)
		);
		expect(await rejectedBy(at, response)).toEqual([
			...[400, 'invalid_request', 'token.actor_known', 'type_without_actor']
		]);
	});
	it.each([
		[' character_read', 303],
		['character_read ', 303],
		['character_read  location_read', 303],
		['character_read location_read', 200]
	])('reads the scope “%s” by the grammar of RFC 6749 §3.3', async (scope, status) => {
		const at = await standardSandbox();
		const response = await at.user().authorize(at.viewer, { ...pkce, scope });
		expect(response.status).toBe(status);
		if (status === 303) expect(response.header('location')).toContain('error=invalid_scope');
	});
	it('notes a token endpoint without its slash, and an issuer that has another host', async () => {
		const at = await standardSandbox();
		const noteOf = async (response: Parameters<Sandbox['logged']>[0], id: string) =>
			(await at.logged(response)).trace.find((check) => check.id === id)?.detail;
		const short = await at.post('/ws/oauth2/token', { grant_type: 'refresh_token' }, ...basic(at.viewer));
		expect(await noteOf(short, 'token.method_is_post')).toContain('The slash at the end of the path is missing');
		const long = await at.post('/ws/oauth2/token/', { grant_type: 'refresh_token' }, ...basic(at.viewer));
		expect(await noteOf(long, 'token.method_is_post')).toBe('');
		const path = '/.well-known/oauth-authorization-server';
		const elsewhere = await at.get(path, 'Host', '127.0.0.1:9443');
		expect(await noteOf(elsewhere, 'metadata.returned')).toContain('Requested at 127.0.0.1:9443');
		const same = await at.get(path, 'Host', new URL(at.base_url).host);
		expect(await noteOf(same, 'metadata.returned')).not.toContain('Requested at');
	});
	it('notes that a silent request came from a frame without a cookie', async () => {
		const at = await standardSandbox();
		const frame = ['Sec-Fetch-Dest', 'iframe', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Site', 'cross-site'];
		const asked = new URLSearchParams({
			client_id: at.viewer.client_id,
			redirect_uri: at.viewer.redirect_uri,
			response_type: 'code',
			scope: 'openid',
			prompt: 'none',
			nonce: 'n',
			...pkce
		});
		const response = await at.get(`/ws/oauth2/auth/?${asked}`, ...frame);
		const { trace } = await at.logged(response);
		expect(trace.find(({ outcome }) => outcome === 'failed')?.detail).toContain('no cookie of the service');
	});
});

describe('Retry-After as a date is a time at which a call is accepted (RFC 9110 §10.2.3)', () => {
	const rejecting = limitAlgorithmNames.filter((name) => name !== 'leaky_bucket');
	it.each(rejecting)('%s', async (limit_algorithm) => {
		const tested = createTestService();
		const at = await tested.sandbox();
		await at.changeSettings({ dialect: 'standard' });
		const { access_token } = await standardTokens(at);
		await at.changeSettings({ retry_after: 'date', limit_algorithm, limits: { character: 2, window: 4 } });
		for (const part of [9, 250, 500, 999]) {
			tested.clock = (Math.floor(tested.clock / 1000) + 100) * 1000 + part;
			let response = await readCharacter(at, access_token);
			for (let count = 0; count < 9 && response.status === 200; count++)
				response = await readCharacter(at, access_token);
			expect(response.status).toBe(429);
			tested.clock = Date.parse(response.header('retry-after') ?? '');
			expect((await readCharacter(at, access_token)).status, `${part} ms`).toBe(200);
		}
	});
});

describe('what was used works never again', () => {
	const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
	const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
	const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

	function assertionOf(at: Sandbox, jti: string, exp: number): string {
		const { client_id } = at.viewer;
		const claims = { iss: client_id, sub: client_id, aud: at.base_url, jti, exp };
		const content = `${encoded({ alg: 'ES256' })}.${encoded(claims)}`;
		const key = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' } as const;
		return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
	}

	it('an assertion, whatever else its address uses, until it has expired', async () => {
		const tested = createTestService();
		const at = await tested.sandbox();
		await at.changeSettings({ dialect: 'standard' });
		const keys = [pair.publicKey.export({ format: 'jwk' })];
		await at.controlled('PATCH', `applications/${at.viewer.client_id}`, { jwks: { keys } });
		const now = Math.floor((await at.now()) / 1000);
		const send = (from: Sandbox, client_assertion: string) =>
			from.token({ grant_type: 'client_credentials', client_assertion_type: type, client_assertion });
		const stolen = assertionOf(at, 'stolen', now + 3000);
		expect((await send(at, stolen)).status).toBe(200);
		for (let count = 1; count < 1000; count++)
			expect((await send(at, assertionOf(at, `more-${count}`, now + 300))).status).toBe(200);
		// No place is left, and none is made.
		const further = await send(at, assertionOf(at, 'further', now + 300));
		expect([further.status, further.header('retry-after')]).toEqual([429, '60']);
		expect((await send(at.from('10.0.0.9'), stolen)).status).toBe(401);
		await at.advance(301);
		expect((await send(at, assertionOf(at, 'later', now + 600))).status).toBe(200);
		expect((await send(at, stolen)).status).toBe(401);
	});

	it('a proof: the address that used too many gets 429, and a full sandbox takes no new ones', async () => {
		const quotas = { attempts: { ...defaultAttempts, dpop_proof: 5 } };
		const limits = { ...recordLimits, dpop_proof: { ...recordLimits.dpop_proof, maxPerSandbox: 8 } };
		const at = await createTestService({ quotas, store: createMemoryStore<Records>(limits) }).sandbox();
		await at.changeSettings({ dialect: 'standard' });
		const key = await ProofKey.create();
		const proof = await key.proof(at, 'POST', '/ws/oauth2/token/');
		const send = async (from: Sandbox, sent?: string) => {
			const fresh = sent ?? (await key.proof(at, 'POST', '/ws/oauth2/token/'));
			return (await from.token({ grant_type: 'client_credentials' }, ...basic(at.viewer), 'DPoP', fresh)).status;
		};
		expect(await send(at, proof)).toBe(200);
		for (let count = 1; count < 5; count++) expect(await send(at)).toBe(200);
		expect(await send(at)).toBe(429);
		const other = at.from('10.0.0.8');
		for (let count = 0; count < 3; count++) expect(await send(other)).toBe(200);
		expect(await send(other)).toBe(503);
		expect(await send(other, proof)).toBe(400);
	});
});
