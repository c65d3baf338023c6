import { wrongMethod, type CheckExplanation, type CheckExplanations } from './explanation.ts';

const header = 'headers: { Authorization: `Bearer ${accessToken}` }';
const retryAfter = "await sleep(response.headers.get('Retry-After') * 1000)";
const redirectUri = "redirect_uris: ['http://127.0.0.1/callback']";
const again = 'location.assign(authorizationUrl) // the user must authorize again';
const basicHeader =
	'headers: { Authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}` }';
const resource: CheckExplanation = [
	'A value of resource is no absolute URI, or has a fragment.',
	'Send the URL of the resource. It may be sent more than once, for several resources.',
	"url.searchParams.append('resource', 'https://localhost:8443/ws/v2.0/')"
];
const form = 'body: new URLSearchParams({ token, client_id, client_secret })';

/** Of what only the dialect of today's standards has. */
export const standardOnly = {
	'access_token.sent_once oauth_scheme': [
		'The scheme is OAuth. This sandbox speaks today’s standards, which have Bearer.',
		'Use the token_type of the token response as the scheme.',
		header
	],
	'access_token.sent_once token_in_query': [
		'The access token is in the URL. Logs, browser histories and Referer headers store URLs.',
		'Send it in the Authorization header.',
		header
	],
	'auth.redirect_uri_registered out_of_band': [
		'The out-of-band redirect URI shows the code on a page, where a user can be tricked into giving it away.',
		'Listen on a loopback address with any free port, and use it as redirect_uri.',
		"server.listen(0, '127.0.0.1')"
	],
	'auth.resource_is_uri': resource,
	'token.resource_is_uri': resource,
	'token.resource_granted': [
		'The authorization request named other resources. A token request can choose among those, and add none.',
		'Send the same resource in both requests.',
		"form.set('resource', resource) // and url.searchParams.set('resource', resource)"
	],
	'access_token.for_this_resource other_resource': [
		'The token names the resources that it works at, and this one is not among them.',
		'Ask for a token with the URL of this resource, or of a place above it, as resource.',
		"url.searchParams.set('resource', 'https://localhost:8443/ws/v2.0/')"
	],
	'token.client_authenticated assertion_required': [
		'The application has registered public keys, so its secret is not taken.',
		'Sign a client_assertion. Or remove the keys in the console.',
		"token_endpoint_auth_method: 'private_key_jwt'"
	],
	'token.client_authenticated malformed_header': [
		'The scheme is Basic, and what follows is not base64 of an id, a colon and a secret.',
		'Form-encode both, join them with a colon, and encode the result in base64.',
		basicHeader
	],
	'token.client_authenticated other_method': [
		'The secret is right, and it is not where the client registered to send it.',
		'Use the token_endpoint_auth_method of the registration response. Many libraries take it from there.',
		'token_endpoint_auth_method: registration.token_endpoint_auth_method'
	],
	'token.client_authenticated other_scheme': [
		'The Authorization header has another scheme than Basic, and the form names no client.',
		'Send id and secret with Basic, or in the form. An access token is for resources only.',
		basicHeader
	],
	'token.client_authenticated not_form_encoded': [
		'The secret in the header is the right one, but it was not form-encoded before base64. Its plus or percent signs were decoded to something else.',
		'Form-encode id and secret first. Or send them in the form, where your library encodes them.',
		basicHeader
	],
	'token.code_verifier_matches nothing_proven': [
		'The code was requested without PKCE, and the client sent no secret. Nothing proves that it is the client which asked.',
		'Add code_challenge and code_challenge_method=S256 to the authorization URL.',
		"url.searchParams.set('code_challenge_method', 'S256')"
	],
	'token.refresh_token_not_used already_used': [
		'Each refresh replaces the refresh token, and this one was replaced before. A second use can mean that it was stolen, so all tokens of this sign-in have ended.',
		'Store the refresh_token of every response. Refresh once at a time, under a lock.',
		"await navigator.locks.request('refresh', () => refresh())"
	],
	'token.refreshed already_used': [
		'Two refreshes with the same refresh token ran at the same time, and the other one was first. All tokens of this sign-in have ended.',
		'Refresh once at a time, under a lock. Then ask the user to authorize again.',
		again
	],
	'introspect.method_is_post': wrongMethod('POST', 'Send the token and the credentials as a form.'),
	'introspect.token_present missing_parameter': ['The form has no token.', 'Add the token to describe.', form],
	'introspect.token_present missing_secret': [
		'The client is an installed application, which has no secret. Tokens are described to clients with a secret only.',
		'Call the endpoint from a server, with its own credentials.',
		form
	],
	'metadata.method_is_get': wrongMethod('GET', 'Read metadata with GET.'),
	'metadata.returned': [
		'There is no protected resource at the path behind the well-known one.',
		'Follow resource_metadata of the WWW-Authenticate header.',
		"response.headers.get('WWW-Authenticate')"
	],
	'register.method_is_post': wrongMethod('POST', 'Send the metadata of the client as JSON.'),
	'register.enabled registration_off': [
		'Clients may not register themselves in this sandbox.',
		'Turn on Dynamic registration in the settings, or register the application in the console.',
		redirectUri
	],
	'register.enabled registration_rejected': [
		'A fault of this sandbox rejects all registrations.',
		'Use a client ID that is registered already, or tell the user.',
		redirectUri
	],
	'register.metadata_valid': [
		'The metadata is not JSON, or a field of it has a value that this service does not support.',
		'Ask for the grant types authorization_code and refresh_token, and the response type code.',
		redirectUri
	],
	'register.redirect_uris_valid': [
		'A redirect URI is not allowed. Scripts, fragments, wildcards, plain HTTP to other machines and parameters of responses are not.',
		'Register HTTPS URIs. A client on the machine of the user can register loopback URIs, and private-use schemes without a secret.',
		redirectUri
	],
	'register.within_limits too_many_clients': [
		'As many clients have registered themselves as the sandbox allows, and all are used.',
		'Store the client_id, and use it again in place of another registration.',
		"await store.set('client_id', registered.client_id)"
	]
} satisfies CheckExplanations;

/** What differs in the dialect of today's standards, where another explanation has the same check and cause. */
export const standardExplanations: CheckExplanations = {
	'revoke.method_is_get': wrongMethod('POST', 'Send the token and the credentials as a form.'),
	'revoke.parameters_present missing_parameter': ['The form has no token.', 'Add the token to revoke.', form],
	'access_token.sent_once missing_token': [
		'The request has no access token.',
		'Send it in the Authorization header, with the scheme Bearer.',
		header
	],
	'access_token.sent_once sent_twice': [
		'The request has more than one access token.',
		'Send it in the Authorization header only.',
		header
	],
	'access_token.sent_once other_scheme': [
		'The Authorization header does not start with Bearer.',
		'Write the scheme, one space, and the token.',
		header
	],
	'access_token.sent_once empty_token': [
		'The Authorization header has no token after Bearer.',
		'Sign in first, then send the access_token of the token response.',
		header
	],
	'access_token.sent_once malformed_token': [
		'The token has characters that no token has, such as quotes or spaces.',
		'Send the access_token of the token response unchanged.',
		header
	],
	'rate_limit.not_exceeded over_limit': [
		'What is left of this window does not cover this request. Rejected requests count toward the blacklist.',
		'Wait for Retry-After. The RateLimit field of every response says how many requests are left.',
		retryAfter
	],
	'rate_limit.not_exceeded now_blacklisted': [
		'The client went on after it was rejected, so its address is now blacklisted. Further requests get no response.',
		'Stop all requests and file a support ticket. Then wait for Retry-After.',
		retryAfter
	],
	'auth.code_challenge_is_s256 missing_challenge': [
		'The query has no code_challenge. PKCE is required for every client.',
		'Add code_challenge and code_challenge_method=S256.',
		"url.searchParams.set('code_challenge', challenge)"
	],
	'token.client_authenticated missing_secret': [
		'The application is a web server application, and the request has no client_secret.',
		'Send the secret in the Authorization header or in the form. Only installed applications send none.',
		'headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }'
	],
	'token.client_authenticated credentials_sent_twice': [
		'The secret is in the header and in the body.',
		'Choose one place. The metadata lists client_secret_basic first.',
		"token_endpoint_auth_method: 'client_secret_basic'"
	]
};
