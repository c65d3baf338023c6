import type { Difference } from './difference.ts';

const secretInForm = { client_id: '{client_id}', client_secret: '{client_secret}' };

/** The specification ignores the assertion. */
const refreshWithAssertion = {
	grant_type: 'refresh_token',
	refresh_token: '{refresh_token}',
	client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
	client_assertion: 'ASSERTION',
	...secretInForm
};

/** A place in a document is no resource. */
const refreshForOther = {
	grant_type: 'refresh_token',
	refresh_token: '{refresh_token}',
	resource: 'https://api.example/#part',
	...secretInForm
};

const exchange = {
	line: 'POST /ws/oauth2/token/',
	form: {
		grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
		subject_token: '{access_token}',
		subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
		...secretInForm
	}
} as const;

/** How tokens are bound to a resource, a key or an actor, and how clients prove a key. */
export const boundTokenDifferences: readonly Difference[] = [
	{
		id: 'resource',
		title: 'Token for one resource',
		source: 'RFC 8707',
		group: 'tokens',
		why: 'A resource that gets a token cannot use it at another one.',
		change: {
			text: 'Name the resource in the authorization request and in the token request.',
			specification: '// A token works at all resources.',
			standard: 'url.searchParams.set("resource", resource);\nform.set("resource", resource);'
		},
		specification: {
			section: '2.3',
			request: { line: 'POST /ws/oauth2/token/', form: refreshForOther },
			response: { status: 200, contains: ['"access_token"'] }
		},
		standard: {
			section: 'RFC 8707 §2',
			request: { line: 'POST /ws/oauth2/token/', form: refreshForOther },
			response: { status: 400, contains: ['invalid_target'] }
		}
	},
	{
		id: 'client_assertion',
		title: 'Signed assertion of a client',
		source: 'RFC 7523',
		group: 'tokens',
		why: 'The private key never leaves the client, and an assertion works once. A request with a secret as well has two methods.',
		change: {
			text: 'Register the public key, and sign an assertion for each request in place of the secret.',
			specification: 'form.set("client_secret", client_secret);',
			standard:
				'form.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");\nform.set("client_assertion", await sign({ iss: client_id, sub: client_id, aud: issuer, jti, exp }));'
		},
		specification: {
			section: '2.3',
			request: { line: 'POST /ws/oauth2/token/', form: refreshWithAssertion },
			response: { status: 200, contains: ['"access_token"'] }
		},
		standard: {
			section: 'RFC 7521 §4.2',
			request: { line: 'POST /ws/oauth2/token/', form: refreshWithAssertion },
			response: { status: 400, contains: ['invalid_request'] }
		}
	},
	{
		id: 'dpop',
		title: 'Proof of a key',
		source: 'RFC 9449',
		group: 'tokens',
		why: 'A stolen Bearer token works for the thief. A token that is bound to a key works only with proofs that this key signs.',
		change: {
			text: 'Sign a proof for each request, and send it with the token.',
			specification: 'const headers = { Authorization: `OAuth ${token}` };',
			standard:
				'const DPoP = await generateProof(keys, url, method, nonce, token);\nconst headers = { Authorization: `DPoP ${token}`, DPoP };'
		},
		specification: {
			section: '5.3',
			request: { line: 'GET /ws/v2.0/ratelimits', headers: { Authorization: 'DPoP {access_token}' } },
			response: { status: 401, headers: { 'www-authenticate': 'OAuth' } }
		},
		standard: {
			section: 'RFC 9449 §7.1',
			request: { line: 'GET /ws/v2.0/ratelimits', headers: { Authorization: 'DPoP {access_token}' } },
			response: { status: 401, headers: { 'www-authenticate': 'algs="RS256 ES256"' } }
		}
	},
	{
		id: 'token_exchange',
		title: 'Token exchange',
		source: 'RFC 8693',
		group: 'tokens',
		why: 'A service that sends the token of a user further gives away all that it allows. An exchanged token allows less, and names the service.',
		change: {
			text: 'Exchange the token, and call the next service with the new one.',
			specification: 'await call(nextService, token);',
			standard:
				'const narrow = await post(token_endpoint, { grant_type, subject_token: token, subject_token_type, scope, resource });\nawait call(nextService, narrow.access_token);'
		},
		specification: {
			section: '2.3',
			request: exchange,
			response: { status: 400, contains: ['unsupported_grant_type'] }
		},
		standard: {
			section: 'RFC 8693 §2',
			request: exchange,
			response: { status: 200, contains: ['"issued_token_type"'], lacks: ['refresh_token'] }
		}
	}
];
