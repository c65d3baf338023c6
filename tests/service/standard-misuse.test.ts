import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { ProofKey, rejectedBy } from '../conformance/dpop.ts';
import { rotate } from '../conformance/openid.ts';
import { encode } from '../conformance/sandbox.ts';
import {
	basic,
	codeWithPkce,
	exchangeWithPkce,
	openPushed,
	pkce,
	push,
	readCharacter,
	requestUriOf,
	verifier
} from '../conformance/standard.ts';
import { codeOf } from '../conformance/user-agent.ts';
import { createTestService } from './test-service.ts';

async function openSandbox(settings: object = {}) {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.changeSettings({ dialect: 'standard', ...settings });
	return { tested, at };
}

it('a signed access token is no ID token, also where its resource is the URL of the client', async () => {
	const { at } = await openSandbox({ jwt_access_tokens: true });
	await rotate(at, 'ES256');
	const client_id = `${at.base_url}/ws/oauth2/clients/example`;
	const app = { client_id, client_secret: '', redirect_uri: 'http://127.0.0.1:53124/callback' };
	const code = codeOf(await at.user().allow(app, { ...pkce, resource: client_id }));
	const { client_secret: _, ...fields } = app;
	const { tokens } = await at.token({ grant_type: 'authorization_code', code, code_verifier: verifier, ...fields });
	const hint = await at.user().authorize(app, { ...pkce, scope: 'openid', id_token_hint: tokens.access_token });
	expect(hint.parameter('error')).toBe('invalid_request');
});

it('scripts may send the headers of the Model Context Protocol to the server for agents', async () => {
	const { at } = await openSandbox();
	const headers = ['Origin', at.base_url, 'Access-Control-Request-Method', 'POST'];
	const response = await at.send({ method: 'OPTIONS', target: '/mcp', headers });
	expect(response.header('access-control-allow-headers')).toContain('MCP-Protocol-Version');
	const token = await at.send({ method: 'OPTIONS', target: '/ws/oauth2/token/', headers });
	expect(token.header('access-control-allow-headers')).not.toContain('MCP');
});

it('an assertion whose exp is a fraction of a second works once', async () => {
	const { tested, at } = await openSandbox();
	const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
	const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
	await at.controlled('PATCH', 'applications/character-viewer', { jwks: { keys: [{ kty, crv, x, y }] } });
	tested.clock = Math.ceil(tested.clock / 1000) * 1000 + 500;
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const id = { iss: 'character-viewer', sub: 'character-viewer', aud: at.base_url, jti: 'one' };
	const content = `${part({ alg: 'ES256' })}.${part({ ...id, exp: (tested.clock - 100) / 1000 })}`;
	const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
	const signature = await crypto.subtle.sign(algorithm, pair.privateKey, Buffer.from(content));
	const form = {
		grant_type: 'client_credentials',
		client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
		client_assertion: `${content}.${Buffer.from(signature).toString('base64url')}`
	};
	const outcomes = [await at.token(form), await at.token(form)];
	expect(outcomes.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
});

it('a request with two request_uri is rejected, and uses up none', async () => {
	const { at } = await openSandbox();
	const request_uri = requestUriOf(await push(at));
	const user = at.user();
	const twice = encode({ client_id: at.viewer.client_id, request_uri });
	const response = await user.open(`/ws/oauth2/auth/?${twice}&request_uri=${encodeURIComponent(request_uri)}`);
	expect(response.status).toBe(400);
	expect((await openPushed(user, request_uri)).status).not.toBe(400);
});

it('a client sends a secret or an assertion, not both (RFC 6749, section 5.2)', async () => {
	const { at } = await openSandbox();
	const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
	const form = { grant_type: 'client_credentials', client_assertion_type, client_assertion: 'a.b.c' };
	const both = await at.token(form, ...basic(at.viewer));
	expect([both.status, both.error]).toEqual([400, 'invalid_request']);
});

it('the key of a DPoP proof at the PAR endpoint binds the code (RFC 9449, section 10.1)', async () => {
	const { at } = await openSandbox();
	const [own, other] = [await ProofKey.create(), await ProofKey.create()];
	const { client_id, redirect_uri } = at.viewer;
	const form = { client_id, redirect_uri, response_type: 'code', scope: 'character_read', ...pkce };
	const pushBy = async (key: ProofKey, more: Readonly<Record<string, string>> = {}, changes = {}) => {
		const proof = await key.proof(at, 'POST', '/ws/oauth2/par', changes);
		return at.post('/ws/oauth2/par', { ...form, ...more }, ...basic(at.viewer), 'DPoP', proof);
	};
	const tokenFor = async (key: ProofKey) => {
		const request_uri = requestUriOf(await pushBy(own));
		const user = at.user();
		const page = await user.signInOn(await user.open((await openPushed(user, request_uri)).location));
		// The second time the user has decided before.
		const code = codeOf(page.status === 200 ? await user.decide(page) : page);
		const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri, client_id };
		return key.token(at, fields, {}, ...basic(at.viewer));
	};
	expect((await tokenFor(own)).status).toBe(200);
	expect((await tokenFor(other)).error).toBe('invalid_grant');
	const mismatch = await pushBy(own, { dpop_jkt: other.jkt });
	expect([mismatch.status, mismatch.error]).toEqual([400, 'invalid_dpop_proof']);
	expect((await pushBy(own, { dpop_jkt: own.jkt })).status).toBe(201);
	expect((await pushBy(own, {}, { claims: { htm: 'GET' } })).error).toBe('invalid_dpop_proof');
});

it('messages of agents end: also those that ask for a stream, and those that are nested or too long', async () => {
	const { at } = await openSandbox();
	const resource = `${at.base_url}/mcp`;
	const code = await codeWithPkce(at.user(), at.viewer, { resource });
	const { tokens } = await exchangeWithPkce(at, code);
	const headers = [
		'Authorization',
		`Bearer ${tokens.access_token}`,
		'Content-Type',
		'application/json',
		'Accept',
		'application/json, text/event-stream'
	];
	const send = async (body: string) => {
		const response = await at.send({ method: 'POST', target: '/mcp', headers, body });
		return response.status;
	};
	const message = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
	expect(await send(message('tools/list'))).toBe(200);
	for (const method of ['subscriptions/listen', 'resources/subscribe', 'logging/setLevel', 'ping', 'tasks/list'])
		expect(await send(message(method)), method).toBe(200);
	const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
	expect(await send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${nested}}}`)).toBe(200);
	expect(await send(`{"a":"${'x'.repeat(200_000)}"}`)).toBe(413);
});

it('a snapshot with a token that was exchanged for that of a client with a document can be restored', async () => {
	const { at } = await openSandbox();
	const client_id = `${at.base_url}/ws/oauth2/clients/example`;
	const app = { client_id, client_secret: '', redirect_uri: 'http://127.0.0.1:53124/callback' };
	const code = codeOf(await at.user().allow(app, pkce));
	const { client_secret: _, ...fields } = app;
	const { tokens } = await at.token({ grant_type: 'authorization_code', code, code_verifier: verifier, ...fields });
	const exchanged = await at.token(
		{
			grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
			subject_token: tokens.access_token,
			subject_token_type: 'urn:ietf:params:oauth:token-type:access_token'
		},
		...basic(at.viewer)
	);
	expect(exchanged.status, exchanged.text).toBe(200);
	const snapshot: unknown = (await at.controlled('GET', 'snapshot')).json();
	const restored = await at.controlled('PUT', 'snapshot', snapshot);
	expect(restored.status, restored.text).toBe(200);
	expect((await readCharacter(at, exchanged.tokens.access_token)).status).toBe(200);
});

it('a snapshot cannot make the consent page fail by a document of a client that is no URL', async () => {
	const { tested, at } = await openSandbox();
	const { content, ...head } = Object((await at.controlled('GET', 'snapshot')).json());
	const changed = JSON.stringify(content).replaceAll('"registered":', '"document_until":1,"registered":');
	const snapshot = { ...head, checksum: tested.options.digest(changed), content: JSON.parse(changed) };
	expect((await at.controlled('PUT', 'snapshot', snapshot)).status).toBe(200);
	const page = await at.user().openConsent(at.viewer, pkce);
	expect(page.status).toBe(200);
	expect(tested.faults).toEqual([]);
});

it('the consent page of a registered application has no gap for a document', async () => {
	const at = await createTestService().sandbox();
	expect((await at.user().openConsent(at.viewer)).text).not.toMatch(/\n\t+\n\t+\n/);
});

it('RSA keys of proofs and of clients have 2,048 bits, and an exponent that costs little', async () => {
	const { at } = await openSandbox();
	const form = { grant_type: 'client_credentials', ...at.viewer };
	const own = await ProofKey.create();
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const tryKey = async (bits: number, changes: object = {}) => {
		const { kty, n = '', e } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
		const jwk = { kty, n, e, ...changes };
		// What is signed has another key, so a key that may be used fails at the signature.
		const [, claims = ''] = (await own.proof(at, 'POST', '/ws/oauth2/token/')).split('.');
		const proof = `${part({ typ: 'dpop+jwt', alg: 'RS256', jwk })}.${claims}.${Buffer.alloc(256, 1).toString('base64url')}`;
		const [, , check, cause] = await rejectedBy(at, await at.token(form, 'DPoP', proof));
		return [
			cause ?? check,
			(await at.control('PATCH', 'applications/character-viewer', { jwks: { keys: [jwk] } })).status
		];
	};
	expect(await tryKey(1024)).toEqual(['unusable_key', 400]);
	expect(await tryKey(2048, { e: 'f'.repeat(300) })).toEqual(['unusable_key', 400]);
	expect(await tryKey(2048, { n: `AAAA${'x'.repeat(340)}` })).toEqual(['unusable_key', 400]);
	expect(await tryKey(2048)).toEqual(['dpop.signature_valid', 200]);
});

it('the error of a pushed request_uri says that parameters belong into the form', async () => {
	const { at } = await openSandbox();
	const response = await push(at, { request_uri: 'https://client.example/request' });
	expect([response.status, response.error]).toEqual([400, 'request_uri_not_supported']);
	expect(response.text).toContain('in the form');
});
