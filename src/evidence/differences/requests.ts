import type { Difference } from './difference.ts';

const character = 'GET /ws/v2.0/character/{character}' as const;
const pkce = 'code_challenge={code_challenge}&code_challenge_method=S256';
const webRequest =
	'/ws/oauth2/auth/?response_type=code&client_id={client_id}&redirect_uri={redirect_uri}&scope={scope}&state=s1' as const;
const documentRequest =
	`/ws/oauth2/auth/?response_type=code&client_id={document_url}&redirect_uri=http%3A%2F%2F127.0.0.1%3A51004%2Fcallback&scope={scope}&state=s1&${pkce}` as const;
const basic = { Authorization: 'Basic {basic}' };
const secretInForm = { client_id: '{client_id}', client_secret: '{client_secret}' };

const pushedForm = {
	response_type: 'code',
	redirect_uri: '{redirect_uri}',
	scope: 'character_read',
	code_challenge: '{code_challenge}',
	code_challenge_method: 'S256',
	client_id: '{client_id}',
	client_secret: '{client_secret}'
};

/** How clients find the service, and prove who they are. */
export const requestDifferences: readonly Difference[] = [
	{
		id: 'metadata',
		title: 'Metadata',
		source: 'RFC 8414',
		group: 'request',
		why: 'A client that knows the issuer finds all endpoints, so URLs need not be copied.',
		change: {
			text: 'Read the endpoints from the metadata of the issuer, once at the start.',
			specification: 'const token_endpoint = `${baseUrl}/ws/oauth2/token/`;',
			standard:
				'const server = await discoveryRequest(new URL(issuer), { algorithm: "oauth2" });\nconst { token_endpoint } = await processDiscoveryResponse(new URL(issuer), server);'
		},
		specification: {
			section: '4',
			request: { line: 'GET /.well-known/oauth-authorization-server' },
			response: { status: 404 }
		},
		standard: {
			section: 'RFC 8414 §3',
			request: { line: 'GET /.well-known/oauth-authorization-server' },
			response: { status: 200, contains: ['"issuer"', '"token_endpoint"', '"S256"'] }
		}
	},
	{
		id: 'client_document',
		title: 'Client by its document',
		source: 'CIMD',
		group: 'request',
		why: 'A client that meets a server for the first time needs no registration there. Users see the host of its document.',
		change: {
			text: 'Publish a document about the client, and send its URL as `client_id`.',
			specification: 'const client_id = "character-viewer"; // from the registration',
			standard: 'const client_id = "https://app.example/client.json";'
		},
		specification: {
			section: '2.1',
			request: { line: `GET ${documentRequest}`, isAuthorization: true },
			response: { status: 400, headers: { location: null } }
		},
		standard: {
			section: 'CIMD §4',
			request: { line: `GET ${documentRequest}`, isAuthorization: true },
			response: { status: 303, headers: { location: 'code=' } }
		}
	},
	{
		id: 'openid',
		title: 'OpenID Connect',
		source: 'OpenID',
		group: 'request',
		why: 'An access token says what a client may do. An ID token says who signed in, and only that client can use it.',
		change: {
			text: 'Ask for `openid`, and verify the ID token before you start a session.',
			specification: 'const user = await readAccount(access_token); // not in the specification',
			standard:
				'const config = await discovery(new URL(issuer), id, secret);\nconst tokens = await authorizationCodeGrant(config, url, { expectedNonce: nonce });\nconst { sub } = tokens.claims();'
		},
		specification: {
			section: '4',
			request: { line: 'GET /.well-known/openid-configuration' },
			response: { status: 404 }
		},
		standard: {
			section: 'OIDC Core §3.1.3.3',
			request: { line: 'GET /.well-known/openid-configuration' },
			response: { status: 200, contains: ['"jwks_uri"', '"userinfo_endpoint"'] }
		}
	},
	{
		id: 'resource_metadata',
		title: 'Resource metadata',
		source: 'RFC 9728',
		group: 'request',
		why: 'A client that knows only the resource finds the server that issues its tokens.',
		change: {
			text: 'After a 401, read the address of the metadata from the challenge.',
			specification: 'const issuer = "https://localhost:8443"; // from the documentation',
			standard:
				'const [, url] = /resource_metadata="([^"]+)"/.exec(challenge);\nconst { authorization_servers: [issuer] } = await (await fetch(url)).json();'
		},
		specification: {
			section: '4',
			request: { line: 'GET /.well-known/oauth-protected-resource' },
			response: { status: 404 }
		},
		standard: {
			section: 'RFC 9728 §3',
			request: { line: 'GET /.well-known/oauth-protected-resource' },
			response: { status: 200, contains: ['"authorization_servers"'] }
		}
	},
	{
		id: 'challenge',
		title: 'Challenge after 401',
		source: 'RFC 6750',
		group: 'request',
		why: 'The challenge names the scheme, and where the metadata is.',
		change: {
			text: 'Read the scheme from `WWW-Authenticate`. A request without a token gets no `error`.',
			specification: 'const isChallenged = challenge.startsWith("OAuth ");',
			standard: 'const isChallenged = challenge.startsWith("Bearer ");'
		},
		specification: {
			section: '5',
			request: { line: character },
			response: { status: 401, headers: { 'www-authenticate': 'OAuth ' } }
		},
		standard: {
			section: 'RFC 6750 §3',
			request: { line: character },
			response: { status: 401, headers: { 'www-authenticate': 'resource_metadata=' } }
		}
	},
	{
		id: 'client_authentication',
		title: 'Client authentication',
		source: 'RFC 6749',
		group: 'request',
		why: 'Every server must accept HTTP Basic. It keeps the secret out of bodies that get logged.',
		change: {
			text: 'Send id and secret by HTTP Basic, each form-encoded first.',
			specification: 'form.set("client_id", id);\nform.set("client_secret", secret);',
			standard: 'headers.set("authorization", `Basic ${btoa(`${encode(id)}:${encode(secret)}`)}`);'
		},
		specification: {
			section: '5',
			request: {
				line: 'POST /ws/oauth2/token/',
				form: { grant_type: 'refresh_token', refresh_token: '{refresh_token}', ...secretInForm }
			},
			response: { status: 200, contains: ['"access_token"'] }
		},
		standard: {
			section: 'RFC 6749 §2.3.1',
			request: {
				line: 'POST /ws/oauth2/token/',
				headers: basic,
				form: { grant_type: 'refresh_token', refresh_token: '{refresh_token}' }
			},
			response: { status: 200, contains: ['"access_token"'] }
		}
	},
	{
		id: 'pkce',
		title: 'PKCE',
		source: 'RFC 7636',
		group: 'request',
		why: 'A stolen code is useless without its verifier, also for clients with a secret.',
		change: {
			text: 'Send a challenge with each authorization request, and its verifier with the code.',
			specification: 'const url = `${authorize}?response_type=code&…&state=${state}`;',
			standard:
				'const url = `${authorize}?response_type=code&…&state=${state}`\n  + `&code_challenge=${await s256(verifier)}&code_challenge_method=S256`;'
		},
		specification: {
			section: '2.1',
			request: { line: `GET ${webRequest}`, isAuthorization: true },
			response: { status: 303, headers: { location: 'code=' } }
		},
		standard: {
			section: 'RFC 9700 §2.1.1',
			request: { line: `GET ${webRequest}`, isAuthorization: true },
			response: { status: 303, headers: { location: 'error=invalid_request' } }
		}
	},
	{
		id: 'iss',
		title: 'Issuer in the response',
		source: 'RFC 9207',
		group: 'request',
		why: 'A client of several servers sees which one sent the code, so an attacker cannot mix them up.',
		change: {
			text: 'Compare `iss` with the issuer before you exchange the code.',
			specification: 'if (response.get("state") !== state) throw new Error("Not my request");',
			standard:
				'if (response.get("state") !== state) throw new Error("Not my request");\nif (response.get("iss") !== issuer) throw new Error("Another server");'
		},
		specification: {
			section: '2.2',
			request: { line: `GET ${webRequest}&${pkce}`, isAuthorization: true },
			response: { status: 303, headers: { location: 'code=' } }
		},
		standard: {
			section: 'RFC 9207 §2',
			request: { line: `GET ${webRequest}&${pkce}`, isAuthorization: true },
			response: { status: 303, headers: { location: 'iss=' } }
		}
	},
	{
		id: 'form_post',
		title: 'Response as a form',
		source: 'OpenID',
		group: 'request',
		why: 'URLs get into logs and browser histories, but the fields of a form do not.',
		change: {
			text: 'Read the response from the body of a POST. The cookie of the session needs `SameSite=None`, because another site sends it.',
			specification: 'app.get("/callback", (request) => exchange(request.query.code));',
			standard:
				'// response_mode=form_post\napp.post("/callback", urlencoded(), (request) => exchange(request.body.code));'
		},
		specification: {
			section: '2.2',
			request: { line: `GET ${webRequest}&${pkce}&response_mode=form_post`, isAuthorization: true },
			response: { status: 303, headers: { location: 'code=' } }
		},
		standard: {
			section: 'Form Post Response Mode §2',
			request: { line: `GET ${webRequest}&${pkce}&response_mode=form_post`, isAuthorization: true },
			response: { status: 200, headers: { location: null }, contains: ['code'] }
		}
	},
	{
		id: 'pushed',
		title: 'Pushed request',
		source: 'RFC 9126',
		group: 'request',
		why: 'The browser brings a reference only, so no user and no script changes the parameters. A wrong request fails before the user sees a page.',
		change: {
			text: 'Send the parameters to `pushed_authorization_request_endpoint`, and open the authorization endpoint with `client_id` and `request_uri` alone.',
			specification: 'location.assign(`${authorize}?${parameters}`);',
			standard:
				'const { request_uri } = await post(pushed_authorization_request_endpoint, parameters);\nlocation.assign(`${authorize}?${new URLSearchParams({ client_id, request_uri })}`);'
		},
		specification: {
			section: '2.1',
			request: { line: 'POST /ws/oauth2/par', form: pushedForm },
			response: { status: 404 }
		},
		standard: {
			section: 'RFC 9126 §2.1',
			request: { line: 'POST /ws/oauth2/par', form: pushedForm },
			response: { status: 201, contains: ['"request_uri"'] }
		}
	}
];
