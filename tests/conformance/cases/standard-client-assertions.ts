import { randomUUID } from 'node:crypto';
import { equal, ok } from '../assert.ts';
import type { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';
import { basic, introspect, pkce, standardCase, standardStoreCase } from '../standard.ts';

const client_id = 'character-viewer';
const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' };
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

type Part = Readonly<Record<string, unknown>>;

/** A client with a registered key of ES256. */
class SigningClient {
	private constructor(
		private readonly at: Sandbox,
		private readonly pair: CryptoKeyPair
	) {}

	static async register(at: Sandbox): Promise<SigningClient> {
		const pair = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify']);
		const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
		const jwks = { keys: [{ kty, crv, x, y, kid: 'k1' }] };
		const response = await at.controlled('PATCH', `applications/${client_id}`, { jwks });
		equal(response.status, 200, response.text);
		return new SigningClient(at, pair);
	}

	async assertion(claims: Part = {}, header: Part = {}): Promise<string> {
		const exp = Math.floor((await this.at.now()) / 1000) + 60;
		const all = { iss: client_id, sub: client_id, aud: this.at.base_url, exp, jti: randomUUID(), ...claims };
		const content = `${encoded({ alg: 'ES256', kid: 'k1', ...header })}.${encoded(all)}`;
		const signed = await crypto.subtle.sign(
			{ name: 'ECDSA', hash: 'SHA-256' },
			this.pair.privateKey,
			Buffer.from(content)
		);
		return `${content}.${Buffer.from(signed).toString('base64url')}`;
	}

	/** Asks for a token for itself. */
	async ask(claims: Part = {}, header: Part = {}, more: Readonly<Record<string, string>> = {}): Promise<TestResponse> {
		return send(this.at, { client_assertion: await this.assertion(claims, header), ...more });
	}
}

function send(at: Sandbox, fields: Readonly<Record<string, string>>): Promise<TestResponse> {
	return at.token({ grant_type: 'client_credentials', client_assertion_type: type, ...fields });
}

/** What rejected a request: the error, the check and its cause. */
async function rejection(at: Sandbox, response: TestResponse): Promise<unknown[]> {
	const failed = (await at.logged(response)).trace.find(({ outcome }) => outcome === 'failed');
	return [response.status, response.error, failed?.id, failed?.cause];
}

/** ST-15: clients that sign an assertion in place of a secret (RFC 7523). */
export const standardClientAssertionCases = [
	standardStoreCase('ST-15 a client signs an assertion at every endpoint that authenticates clients', async (at) => {
		const client = await SigningClient.register(at);
		const { access_token } = (await client.ask({}, {}, { client_id })).tokens;
		const post = async (path: string, fields: Readonly<Record<string, string>>) =>
			at.post(path, { ...fields, client_assertion_type: type, client_assertion: await client.assertion() });
		ok((await post('/ws/oauth2/introspect', { token: access_token })).text.includes('"active":true'), 'active');
		const request = { response_type: 'code', redirect_uri: at.viewer.redirect_uri, scope: 'character_read', ...pkce };
		equal((await post('/ws/oauth2/par', request)).status, 201);
		equal((await post('/ws/oauth2/device_authorization', {})).status, 200);
		equal((await post('/ws/oauth2/revoke', { token: access_token })).status, 200);
	}),
	standardStoreCase('ST-15 an assertion works once, also for 20 requests at the same instant', async (at) => {
		const client = await SigningClient.register(at);
		const client_assertion = await client.assertion();
		const responses = await Promise.all(Array.from({ length: 20 }, () => send(at, { client_assertion })));
		equal(responses.filter(({ status }) => status === 200).length, 1);
		const replayed = await send(at, { client_assertion });
		const check = 'client_assertion.not_replayed';
		equal(await rejection(at, replayed), [401, 'invalid_client', check, undefined]);
		const log = (await at.controlled('GET', 'traffic')).text;
		ok(!log.includes(client_assertion.split('.')[2] ?? ''), 'no signature in the log');
	}),
	standardCase('ST-15 each wrong part is rejected by its name', async (at) => {
		const client = await SigningClient.register(at);
		const now = Math.floor((await at.now()) / 1000);
		const wrong: readonly (readonly [Part, Part, string, string?])[] = [
			[{ aud: 'https://other.example' }, {}, 'audience_matches'],
			[{ aud: `${at.base_url}/` }, {}, 'audience_matches'],
			[{ exp: now - 1 }, {}, 'time_valid', 'expired'],
			[{ exp: now + 4000 }, {}, 'time_valid', 'too_long'],
			[{ nbf: now + 120 }, {}, 'time_valid', 'not_yet_valid'],
			[{ jti: undefined }, {}, 'readable', 'missing_claim'],
			[{ exp: String(now + 60) }, {}, 'readable', 'missing_claim'],
			[{ iss: 'other' }, {}, 'issued_by_client', 'other_issuer'],
			[{ iss: 'unknown', sub: 'unknown' }, {}, 'issued_by_client', 'unknown_client'],
			[{ iss: 'pocket-companion', sub: 'pocket-companion' }, {}, 'issued_by_client', 'no_keys'],
			[{}, { crit: ['b64'], b64: false }, 'readable', 'critical_header'],
			[{}, { crit: ['http://example/unknown'] }, 'readable', 'critical_header'],
			[{}, { typ: 'dpop+jwt' }, 'readable', 'other_type'],
			[{}, { typ: 'at+jwt' }, 'readable', 'other_type'],
			[{}, { alg: 'none' }, 'readable', 'unsupported_algorithm'],
			[{}, { alg: 'HS256' }, 'readable', 'unsupported_algorithm'],
			[{}, { alg: 'RS256' }, 'signature_valid'],
			[{}, { kid: 'k2' }, 'signature_valid']
		];
		for (const [claims, header, check, cause] of wrong) {
			const response = await client.ask(claims, header);
			equal(await rejection(at, response), [401, 'invalid_client', `client_assertion.${check}`, cause]);
		}
		for (const typ of ['JWT', 'application/jwt', undefined])
			equal((await client.ask({}, { typ })).status, 200, typ ?? 'none');
		equal((await client.ask({ aud: ['https://x.example', `${at.base_url}/ws/oauth2/token/`] })).status, 200);
	}),
	standardCase('ST-15 the fields beside the assertion are checked', async (at) => {
		const client = await SigningClient.register(at);
		const wrong: readonly (readonly [Readonly<Record<string, string>>, string, string?])[] = [
			[{ client_assertion_type: 'x' }, 'sent_alone', 'wrong_assertion_type'],
			[{ client_assertion: '' }, 'sent_alone', 'missing_assertion'],
			[{ client_assertion: 'a.b.c' }, 'readable', 'malformed_assertion'],
			[{ client_id: 'pocket-companion' }, 'issued_by_client', 'client_ids_differ']
		];
		for (const [fields, check, cause] of wrong) {
			const response = await client.ask({}, {}, fields);
			equal(await rejection(at, response), [401, 'invalid_client', `client_assertion.${check}`, cause]);
		}
		const both = await client.ask({}, {}, { client_secret: 'viewer-secret' });
		equal(await rejection(at, both), [400, 'invalid_request', 'client_assertion.sent_alone', 'with_secret']);
		const other = (await client.assertion()).split('.');
		const changed = [other[0], encoded({ iss: client_id }), other[2]].join('.');
		equal((await send(at, { client_assertion: changed })).error, 'invalid_client');
		equal((await client.ask({}, {}, { client_id })).status, 200);
	}),
	standardCase('ST-15 a client with keys has no secret, until its owner removes them', async (at) => {
		const client = await SigningClient.register(at);
		const form = { grant_type: 'client_credentials' };
		const cause = 'assertion_required';
		const rejected = [401, 'invalid_client', 'token.client_authenticated', cause];
		equal(await rejection(at, await at.token(form, ...basic(at.viewer))), rejected);
		await at.controlled('PATCH', `applications/${client_id}`, { name: 'Renamed' });
		equal((await client.ask()).status, 200, 'another change keeps the keys');
		await at.controlled('PATCH', `applications/${client_id}`, { jwks: null });
		equal((await at.token(form, ...basic(at.viewer))).status, 200);
		equal((await rejection(at, await client.ask()))[3], 'no_keys');
		await SigningClient.register(at);
		await at.changeSettings({ dialect: 'specification' });
		ok((await at.user().tokens()).access_token.length > 0, 'the specification takes the secret');
	}),
	standardCase('ST-15 private keys, wrong curves and too many keys are not registered', async (at) => {
		const key = { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' };
		const register = async (keys: readonly object[]) =>
			(await at.control('PATCH', `applications/${client_id}`, { jwks: { keys } })).status;
		equal(await register([{ ...key, d: 'secret' }]), 400);
		equal(await register([{ ...key, crv: 'P-384' }]), 400);
		equal(await register([{ kty: 'oct', k: 'x' }]), 400);
		equal(await register([]), 400);
		equal(await register(Array.from({ length: 6 }, () => key)), 400);
		equal(await register([key]), 200);
		const web = { name: 'New', kind: 'web', redirect_uris: ['https://a.example/'], jwks: { keys: [key] } };
		const created = await at.controlled('POST', 'applications', web);
		equal([created.status, Object(created.json()).jwks.keys], [201, [key]]);
	}),
	standardCase('ST-15 metadata names the method, and secrets still work', async (at) => {
		const metadata = Object((await at.get('/.well-known/oauth-authorization-server')).json());
		for (const endpoint of ['token', 'revocation', 'introspection'])
			ok(metadata[`${endpoint}_endpoint_auth_methods_supported`].includes('private_key_jwt'), endpoint);
		equal(metadata.token_endpoint_auth_signing_alg_values_supported, ['RS256', 'ES256']);
		equal((await introspect(at, 'x')).status, 200);
	})
];
