import { defined, equal, ok } from '../assert.ts';
import { characterPath, hashOf, postTwice, ProofKey, rejectedBy, succeeded, withProof } from '../dpop.ts';
import type { Sandbox } from '../sandbox.ts';
import {
	basic,
	codeWithPkce,
	introspect,
	pkce,
	query,
	readCharacter,
	registerClient,
	standardCase,
	standardHostCase,
	standardStoreCase,
	standardTokens,
	verifier
} from '../standard.ts';

const tokenPath = '/ws/oauth2/token/';

function fieldsOf(at: Sandbox, code: string): Readonly<Record<string, string>> {
	const { redirect_uri } = at.viewer;
	return { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri };
}

/** Tokens of the viewer, bound to a key. */
async function boundTokens(at: Sandbox, key: ProofKey): Promise<{ access_token: string; refresh_token: string }> {
	const code = await codeWithPkce(at.user());
	const { tokens } = succeeded(await key.token(at, fieldsOf(at, code), {}, ...basic(at.viewer)));
	equal(tokens.token_type, 'DPoP');
	return { access_token: tokens.access_token, refresh_token: defined(tokens.refresh_token, 'refresh_token') };
}

const clientCredentials = { grant_type: 'client_credentials' };

/** ST-20: tokens that are bound to a key (RFC 9449). */
export const standardDpopCases = [
	standardStoreCase('ST-20 a token that is bound to a key works with a new proof for each request', async (at) => {
		const key = await ProofKey.create();
		const { access_token, refresh_token } = await boundTokens(at, key);
		for (let count = 0; count < 2; count++) succeeded(await key.character(at, access_token));
		const described = Object((await introspect(at, access_token)).json());
		equal([described.active, described.token_type, described.cnf], [true, 'DPoP', { jkt: key.jkt }]);
		const fields = { grant_type: 'refresh_token', refresh_token };
		const { tokens } = succeeded(await key.token(at, fields, {}, ...basic(at.viewer)));
		equal(tokens.token_type, 'DPoP');
		succeeded(await key.character(at, tokens.access_token));
	}),
	standardHostCase(
		'ST-20 a thief of a bound token gets nothing: without key, with another key, with a seen proof',
		async (at) => {
			const [key, thief] = [await ProofKey.create(), await ProofKey.create()];
			const { access_token } = await boundTokens(at, key);
			const seen = await key.proof(at, 'GET', characterPath, { claims: { ath: hashOf(access_token) } });
			succeeded(await withProof(at, access_token, seen));
			equal(await rejectedBy(at, await readCharacter(at, access_token)), [
				...[401, 'invalid_token', 'access_token.scheme_fits', 'bound_token']
			]);
			equal(await rejectedBy(at, await at.get(characterPath, 'Authorization', `DPoP ${access_token}`)), [
				...[401, 'invalid_dpop_proof', 'dpop.proof_sent', 'missing_proof']
			]);
			equal(await rejectedBy(at, await thief.character(at, access_token)), [
				...[401, 'invalid_token', 'access_token.key_proven', undefined]
			]);
			const again = await withProof(at, access_token, seen);
			equal(await rejectedBy(at, again), [401, 'invalid_dpop_proof', 'dpop.not_replayed', undefined]);
			const challenge = defined(again.header('www-authenticate'), 'the challenge');
			ok(/^DPoP .*algs="RS256 ES256", error="invalid_dpop_proof"/.test(challenge), challenge);
			succeeded(await key.character(at, access_token));
		}
	),
	standardCase('ST-20 each wrong part of a proof is named', async (at) => {
		const [key, other] = [await ProofKey.create(), await ProofKey.create()];
		const expired = { iat: Math.floor((await at.now()) / 1000) - 301 };
		const wrong = [
			['readable malformed_proof', { header: { jwk: undefined } }],
			['readable critical_header', { header: { crit: ['exp'] } }],
			['readable wrong_type', { header: { typ: 'JWT' } }],
			['readable unsupported_algorithm', { header: { alg: 'none' } }],
			['readable unsupported_algorithm', { header: { alg: 'HS256' } }],
			['readable unusable_key', { header: { jwk: { ...key.jwk, d: 'x' } } }],
			['readable unusable_key', { header: { alg: 'RS256' } }],
			['readable unusable_key', { header: { jwk: { kty: 'oct', k: 'x' } } }],
			['readable missing_claim', { claims: { jti: undefined } }],
			['readable missing_claim', { claims: { jti: 'x'.repeat(201) } }],
			['signature_valid', { signer: other }],
			['signature_valid', { header: { jwk: { ...key.jwk, x: 'AAAA' } } }],
			['method_matches', { claims: { htm: 'GET' } }],
			['url_matches', { claims: { htu: `${at.base_url}${characterPath}` } }],
			['time_valid too_old', { claims: expired }],
			['time_valid in_the_future', { claims: { iat: expired.iat + 400 } }]
		] as const;
		for (const [expected, changes] of wrong) {
			const response = await key.token(at, clientCredentials, changes, ...basic(at.viewer));
			const [id = '', cause] = expected.split(' ');
			const check = `dpop.${id === 'readable' ? 'proof_readable' : id}`;
			equal(await rejectedBy(at, response), [400, 'invalid_dpop_proof', check, cause], expected);
		}
		const proof = await key.proof(at, 'POST', tokenPath);
		const fields = { ...clientCredentials, client_id: at.viewer.client_id, client_secret: at.viewer.client_secret };
		const twice = await postTwice(at, fields, 'DPoP', proof);
		// A host may join headers of the same name.
		equal([twice.status, twice.error], [400, 'invalid_dpop_proof']);
		const malformed = await at.token(clientCredentials, 'DPoP', 'a.b', ...basic(at.viewer));
		equal(await rejectedBy(at, malformed), [400, 'invalid_dpop_proof', 'dpop.proof_readable', 'malformed_proof']);
		// With a query, and written otherwise, it is the same URL.
		const htu = `${at.base_url}${tokenPath}?x=1#y`;
		succeeded(await key.token(at, clientCredentials, { claims: { htu } }, ...basic(at.viewer)));
	}),
	standardCase('ST-20 at a resource the proof names the token', async (at) => {
		const key = await ProofKey.create();
		const { access_token } = await boundTokens(at, key);
		const missing = await key.character(at, access_token, { claims: { ath: undefined } });
		equal(await rejectedBy(at, missing), [401, 'invalid_dpop_proof', 'dpop.token_hash_matches', 'missing_ath']);
		const other = await key.character(at, access_token, { claims: { ath: hashOf('another') } });
		equal(await rejectedBy(at, other), [401, 'invalid_dpop_proof', 'dpop.token_hash_matches', 'other_ath']);
	}),
	standardCase('ST-20 an ordinary token is no DPoP token, and challenges name both schemes', async (at) => {
		const key = await ProofKey.create();
		const { access_token } = await standardTokens(at);
		equal(await rejectedBy(at, await key.character(at, access_token)), [
			...[401, 'invalid_token', 'access_token.scheme_fits', 'unbound_token']
		]);
		const challenge = (await at.get(characterPath)).header('www-authenticate') ?? '';
		ok(/^Bearer realm=.*, DPoP algs="RS256 ES256"$/.test(challenge), challenge);
	}),
	standardCase('ST-20 of 20 uses of one proof at the same instant, one succeeds', async (at) => {
		const key = await ProofKey.create();
		const { access_token } = await boundTokens(at, key);
		const proof = await key.proof(at, 'GET', characterPath, { claims: { ath: hashOf(access_token) } });
		const all = await Promise.all(Array.from({ length: 20 }, () => withProof(at, access_token, proof)));
		equal(all.filter(({ status }) => status === 200).length, 1);
	}),
	standardStoreCase(
		'ST-20 with the setting, both servers want their nonce, and old ones end by the clock',
		async (at) => {
			await at.changeSettings({ dpop_nonce: true });
			const key = await ProofKey.create();
			const first = await key.token(at, clientCredentials, {}, ...basic(at.viewer));
			equal(await rejectedBy(at, first), [400, 'use_dpop_nonce', 'dpop.nonce_current', 'missing_nonce']);
			const nonce = defined(first.header('dpop-nonce'), 'DPoP-Nonce');
			// The nonce dates the proof, so the clock of the client does not matter (RFC 9449, section 4.3).
			const { tokens } = succeeded(
				await key.token(at, clientCredentials, { claims: { nonce, iat: 1 } }, ...basic(at.viewer))
			);
			const { access_token } = tokens;
			const rejected = await key.character(at, access_token);
			equal(await rejectedBy(at, rejected), [401, 'use_dpop_nonce', 'dpop.nonce_current', 'missing_nonce']);
			ok(rejected.header('www-authenticate')?.includes('error="use_dpop_nonce"') === true, 'the challenge');
			const second = defined(rejected.header('dpop-nonce'), 'DPoP-Nonce');
			equal(
				succeeded(await key.character(at, access_token, { claims: { nonce: second } })).header('dpop-nonce'),
				second
			);
			await at.advance(601);
			const old = await key.character(at, access_token, { claims: { nonce: second } });
			equal(await rejectedBy(at, old), [401, 'use_dpop_nonce', 'dpop.nonce_current', 'old_nonce']);
		}
	),
	standardCase('ST-20 dpop_jkt binds a code to a key', async (at) => {
		const [key, thief] = [await ProofKey.create(), await ProofKey.create()];
		const ask = () => codeWithPkce(at.user(), at.viewer, { dpop_jkt: key.jkt });
		const stolen = await thief.token(at, fieldsOf(at, await ask()), {}, ...basic(at.viewer));
		equal(await rejectedBy(at, stolen), [400, 'invalid_grant', 'token.dpop_key_matches', 'other_key']);
		const without = await at.token(fieldsOf(at, await ask()), ...basic(at.viewer));
		equal(await rejectedBy(at, without), [400, 'invalid_grant', 'token.dpop_key_matches', 'no_proof']);
		succeeded(await key.token(at, fieldsOf(at, await ask()), {}, ...basic(at.viewer)));
		const { client_id, redirect_uri } = at.viewer;
		const asked = { response_type: 'code', client_id, redirect_uri, scope: 'character_read', ...pkce, dpop_jkt: 'x' };
		const { location } = await at.get(`/ws/oauth2/auth/${query(asked)}`);
		ok(location.includes('error=invalid_request'), location);
	}),
	standardCase('ST-20 the refresh token of a client without a secret is bound to the key', async (at) => {
		const [key, thief] = [await ProofKey.create(), await ProofKey.create()];
		const app = await at.register('installed', ['http://127.0.0.1/callback']);
		const { client_id, redirect_uri } = app;
		const code = await codeWithPkce(at.user(), app);
		const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, client_id, redirect_uri };
		const { tokens } = succeeded(await key.token(at, fields));
		const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id };
		equal(await rejectedBy(at, await thief.token(at, refresh)), [
			...[400, 'invalid_grant', 'token.dpop_key_matches', 'other_key']
		]);
		equal(await rejectedBy(at, await at.token(refresh)), [
			...[400, 'invalid_grant', 'token.dpop_key_matches', 'no_proof']
		]);
		const next = succeeded(await key.token(at, refresh)).tokens;
		const second = { ...refresh, refresh_token: next.refresh_token };
		equal((await thief.token(at, second)).error, 'invalid_grant', 'also the next one');
		succeeded(await key.character(at, next.access_token));
	}),
	standardCase('ST-20 a client with dpop_bound_access_tokens needs a proof for each token', async (at) => {
		const key = await ProofKey.create();
		const { client_id, client_secret } = at.viewer;
		await at.controlled('PATCH', `applications/${client_id}`, { dpop_bound_access_tokens: true });
		const response = await at.token(clientCredentials, ...basic({ client_id, client_secret }));
		equal(await rejectedBy(at, response), [400, 'invalid_dpop_proof', 'dpop.proof_sent', 'missing_proof']);
		succeeded(await key.token(at, clientCredentials, {}, ...basic({ client_id, client_secret })));
		await at.changeSettings({ dynamic_registration: true });
		const redirect_uris = ['https://app.example/callback'];
		const registered = await registerClient(at, { redirect_uris, dpop_bound_access_tokens: true });
		equal(Object(registered.json()).dpop_bound_access_tokens, true);
	}),
	standardCase('ST-20 metadata names the algorithms, and the specification ignores proofs', async (at) => {
		for (const document of ['oauth-authorization-server', 'oauth-protected-resource']) {
			const metadata = Object((await at.get(`/.well-known/${document}`)).json());
			equal(metadata.dpop_signing_alg_values_supported, ['RS256', 'ES256'], document);
		}
		await at.changeSettings({ dialect: 'specification' });
		const { tokens } = await at.token({ ...fieldsOf(at, await codeWithPkce(at.user())), ...at.viewer }, 'DPoP', 'x');
		equal(tokens.token_type, 'OAuth');
		equal((await at.get(characterPath, 'Authorization', `OAuth ${tokens.access_token}`, 'DPoP', 'x')).status, 200);
		const rejected = await at.get(characterPath, 'Authorization', `DPoP ${tokens.access_token}`);
		ok(rejected.status === 401 && !rejected.header('www-authenticate')?.includes('DPoP'), rejected.text);
	})
];
