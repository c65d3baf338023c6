import { grants } from './grant-types.ts';

/** What a parameter or header is for, and the section that defines it. */
export type FieldNote = { readonly text: string; readonly section: string };

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

const note = (text: string, section: string): FieldNote => ({ text, section });

/** The parameters of queries, forms and JSON bodies. */
const parameters: Readonly<Record<string, FieldNote>> = {
	response_type: note('What the client asks for: always a code.', '2.1'),
	client_id: note('Names the application.', '2.1'),
	client_secret: note('Proves that the application sent the request.', '2.3'),
	client_assertion: note(
		'Signed by the application in place of a secret. new signs one for each request, again sends the last one.',
		'RFC 7523 §2.2'
	),
	client_assertion_type: note('Says that a JWT is sent.', 'RFC 7523 §2.2'),
	redirect_uri: note('Where the response goes. Must match a registered URI exactly.', '2.1'),
	scope: note('Permissions, separated by spaces.', '2.1'),
	state: note(
		'Returned unchanged. The client compares it, so that no other site can inject a response.',
		'RFC 6749 §10.12'
	),
	access_type: note('offline issues a refresh token.', '2.1'),
	renew_previously_granted: note('yes also renews permissions that were granted before.', '2.1'),
	code_challenge: note('PKCE: SHA-256 of the verifier, as base64url.', 'RFC 7636 §4.2'),
	code_challenge_method: note('PKCE: how the challenge was computed. Always S256.', 'RFC 7636 §4.3'),
	code_verifier: note('PKCE: shows that the client that asked for the code also exchanges it.', 'RFC 7636 §4.5'),
	grant_type: note(`What is exchanged for tokens: ${alternatives.format(grants.map(({ offers }) => offers))}.`, '2.3'),
	code: note('The authorization code. Valid once, for a short time.', '2.2'),
	device_code: note('The device polls with it, until the user decides.', 'RFC 8628 §3.4'),
	request_uri: note('Refers to the request that the client pushed. Works once.', 'RFC 9126 §4'),
	user_code: note('The user enters it on the page of the service.', 'RFC 8628 §3.3'),
	verification_uri: note('Where the user enters the code.', 'RFC 8628 §3.2'),
	interval: note('How long the device waits between two polls, in seconds.', 'RFC 8628 §3.2'),
	token: note('The token to revoke or to describe.', '3.1'),
	token_type_hint: note('What kind of token it is. The service does not need it.', 'RFC 7009 §2.1'),
	iss: note('The issuer of the response. A client of several servers compares it.', 'RFC 9207 §2'),
	access_token: note('Gives access to resources.', '2.4'),
	refresh_token: note('Gets new access tokens without the user.', '2.4'),
	expires_in: note('How long the access token is valid, in seconds.', '2.4'),
	token_type: note('The scheme of the Authorization header.', '2.4'),
	id_token: note('Says who signed in, signed by the service.', 'OIDC Core §2'),
	nonce: note('Returned in the ID token. The client compares it.', 'OIDC Core §3.1.2.1'),
	prompt: note('Which page the service must show, or that it must show none.', 'OIDC Core §3.1.2.1'),
	max_age: note('How old the sign-in of the user may be, in seconds.', 'OIDC Core §3.1.2.1'),
	error: note('The error code.', 'RFC 6749 §5.2'),
	error_description: note('What happened, why, and what to do next.', 'RFC 6749 §5.2'),
	interaction: note('The sign-in that the page belongs to.', '5.2'),
	csrf_token: note('Shows that the form was sent from a page of this service.', 'RFC 6749 §10.12'),
	username: note('The name of the account.', '5.2'),
	password: note('The password of the account. Never shown.', '5.2'),
	decision: note('approve, deny or switch.', '3.1')
};

const rateLimit = '8.5';

/** The headers that matter to a client, in lower case. */
const headers: Readonly<Record<string, FieldNote>> = {
	authorization: note('The access token with its scheme, or the credentials of the client by Basic.', '5.3'),
	'content-type': note('How the body is written.', 'RFC 9110 §8.3'),
	dpop: note(
		'A proof of the key that the token is bound to. new signs one for each request, again sends the last one.',
		'RFC 9449 §4.2'
	),
	'dpop-nonce': note('What the next proof must contain.', 'RFC 9449 §8'),
	accept: note('The format that the client prefers: JSON or XML.', 'RFC 9110 §12.5.1'),
	origin: note('The site whose script sent the request.', 'RFC 9110 §10.1'),
	location: note('Where the browser goes next.', 'RFC 9110 §10.2.2'),
	'www-authenticate': note('The scheme that the resource accepts, and why the token was rejected.', 'RFC 6750 §3'),
	allow: note('The methods that the path takes.', 'RFC 9110 §10.2.1'),
	'retry-after': note('How long to wait before the next request, in seconds or as a date.', 'RFC 9110 §10.2.3'),
	'cache-control': note('No cache may store the response.', 'RFC 6749 §5.1'),
	ratelimit: note('What is left of the limit (r), and the seconds until more is (t).', rateLimit),
	'ratelimit-policy': note('The limit (q) of a window in seconds (w), and what it counts for (pk).', rateLimit),
	'x-request-id': note('The id of this exchange, in the inspector and in the traffic log.', ''),
	'x-ratelimit-limit': note('Requests per window.', rateLimit),
	'x-ratelimit-remaining': note('Requests that are left in this window. Stop at 0.', rateLimit),
	'x-ratelimit-reset': note('When the window ends, in Unix seconds.', rateLimit),
	'x-ratelimit-resettime': note('When the window ends, as a date.', rateLimit),
	'x-tollgate-automatic': note('A page sent this request automatically. Its user did not ask for it.', ''),
	'x-tollgate-address': note('The address that the request counts for.', '8.2'),
	'access-control-allow-origin': note('The site whose scripts may read the response.', 'RFC 9700 §2.6')
};

/** The note of a parameter of a query, a form or a JSON body. */
export function parameterNote(name: string): FieldNote | undefined {
	return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

/** The note of a header. */
export function headerNote(name: string): FieldNote | undefined {
	const key = name.toLowerCase();
	return Object.hasOwn(headers, key) ? headers[key] : undefined;
}
