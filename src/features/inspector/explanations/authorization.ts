import { wrongMethod, type CheckExplanations } from './explanation.ts';

const set = (name: string, value: string) => `url.searchParams.set('${name}', ${value})`;
const clientId = set('client_id', 'clientId');
const redirectUri = set('redirect_uri', 'redirectUri');
const restart = 'location.assign(authorizationUrl) // starts again';
const once = ['A parameter is in the query twice, so its value is ambiguous.', 'Set each parameter once.'] as const;

/** Of the authorization request. */
export const authorization = {
	'auth.method_is_get': wrongMethod('GET', 'Navigate the browser to the authorization URL.'),
	'auth.request_is_new unknown_interaction': [
		'The sign-in page is older than 15 minutes, or its id is wrong.',
		'Start again from the application.',
		restart
	],
	'auth.request_is_new other_browser': [
		'The sign-in was started in another browser, or cookies are off.',
		'Continue in the browser that opened the sign-in page.',
		restart
	],
	'auth.request_is_new redirect_uri_removed': [
		'The application or its redirect URI was removed during the sign-in.',
		'Register the redirect URI again, and start again.',
		restart
	],
	'auth.request_is_new completed': [
		'The user has completed this sign-in, and went back to its page.',
		'Use the code that the application received, or start again.',
		restart
	],
	'auth.query_is_valid state_too_long': [
		'The state has more than 4,096 bytes.',
		'Send a random id as state, and store the rest under it.',
		set('state', 'crypto.randomUUID()')
	],
	'auth.query_is_valid too_many_parameters': [
		'The query has more than 100 parameters.',
		'Send the parameters of the authorization request only.',
		'const url = new URL(authorizationEndpoint)'
	],
	'auth.client_known missing_parameter': [
		'The query has no client_id.',
		'Add the client_id of the application.',
		clientId
	],
	'auth.client_known empty_parameter': [
		'The client_id is empty or badly encoded. Often a setting is missing.',
		'Check that the setting with the client_id is loaded.',
		clientId
	],
	'auth.client_known duplicate_parameter': [once[0], once[1], clientId],
	'auth.client_known unknown_client': [
		'No application of this sandbox has this client_id. The error is shown here, because no redirect URI can be trusted yet.',
		'Compare it with the console. Each sandbox has its own applications.',
		clientId
	],
	'auth.redirect_uri_registered missing_parameter': [
		'The query has no redirect_uri.',
		'Add the redirect_uri, exactly as registered.',
		redirectUri
	],
	'auth.redirect_uri_registered empty_parameter': [
		'The redirect_uri is empty or badly encoded.',
		'Encode it once.',
		redirectUri
	],
	'auth.redirect_uri_registered duplicate_parameter': [once[0], once[1], redirectUri],
	'auth.redirect_uri_registered not_registered': [
		'The redirect_uri is not one that the application registered. Scheme, letter case, port, path and trailing slash must be the same.',
		'Register this URI in the console, or send a registered one. The error is not sent to an unregistered URI.',
		redirectUri
	],
	'auth.parameters_are_valid duplicate_parameter': [once[0], once[1], set('scope', "scopes.join(' ')")],
	'auth.parameters_are_valid malformed_parameter': [
		'A percent sign in a value is not followed by two hexadecimal digits, or the decoded bytes are not UTF-8.',
		'Let the URL class encode every value once.',
		'url.search = new URLSearchParams(parameters)'
	],
	'auth.response_type_is_code missing_parameter': [
		'The query has no response_type.',
		'Add response_type=code.',
		set('response_type', "'code'")
	],
	'auth.response_type_is_code unsupported_value': [
		'The service supports response_type=code only. The implicit flow is not available.',
		'Ask for a code, and exchange it with PKCE.',
		set('response_type', "'code'")
	],
	'auth.scope_known missing_parameter': [
		'The query has no scope.',
		'List the permissions that you need.',
		set('scope', "scopes.join(' ')")
	],
	'auth.scope_known malformed_scope': [
		'The value of scope is no list of names separated by spaces.',
		'Join the names with single spaces. Commas do not work.',
		set('scope', "scopes.join(' ')")
	],
	'auth.scope_known unknown_scope': [
		'At least one of the scopes does not exist.',
		'Compare the names with the list of expected ones.',
		set('scope', "scopes.join(' ')")
	],
	'auth.access_type_is_valid': [
		'access_type has two values, and this is not one of them.',
		'Send offline if you need a refresh token. Otherwise leave it out.',
		set('access_type', "'offline'")
	],
	'auth.code_challenge_is_s256 missing_challenge': [
		'The query has code_challenge_method, and no code_challenge.',
		'Send both, or neither.',
		set('code_challenge', 'challenge')
	],
	'auth.code_challenge_is_s256 not_s256': [
		'The challenge needs code_challenge_method=S256. The method plain is not supported.',
		'Hash the verifier, and name the method.',
		set('code_challenge_method', "'S256'")
	],
	'auth.code_challenge_is_s256 malformed_challenge': [
		'A challenge has 43 characters of base64url. This one is hexadecimal, padded or cut off.',
		'Write SHA-256 of the verifier as base64url without padding.',
		"createHash('sha256').update(codeVerifier).digest('base64url')"
	],
	'auth.user_prompted': [
		'Too many sign-ins were started from this address, so no further one is stored.',
		'Wait five minutes. Start a sign-in only when the user asks for it.',
		restart
	]
} satisfies CheckExplanations;
