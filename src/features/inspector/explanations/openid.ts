import { wrongMethod, type Explanations } from './explanation.ts';

const again = "url.searchParams.delete('prompt')";

/** Of OpenID Connect. */
export const openid = {
	'auth.openid_parameters_valid malformed_max_age': [
		'max_age is not a whole number of seconds.',
		'Send the seconds as digits, or leave max_age out.',
		"url.searchParams.set('max_age', '3600')"
	],
	'auth.openid_parameters_valid nonce_too_long': [
		'The nonce has more than 512 characters.',
		'Send a random value of 256 bits. Store what else you need beside it.',
		"url.searchParams.set('nonce', randomNonce())"
	],
	'auth.openid_parameters_valid none_with_others': [
		'prompt=none forbids pages, and the other value asks for one.',
		'Send none alone, or leave it out.',
		"url.searchParams.set('prompt', 'none')"
	],
	'auth.openid_parameters_valid request_object': [
		'The parameter request holds a signed request object. This service does not read those.',
		'Send all parameters in the query. The metadata says request_parameter_supported: false.',
		"url.searchParams.delete('request')"
	],
	'auth.openid_parameters_valid request_uri': [
		'The parameter request_uri refers to a request object. This service does not read those.',
		'Send all parameters in the query. The metadata says request_uri_parameter_supported: false.',
		"url.searchParams.delete('request_uri')"
	],
	'auth.openid_parameters_valid unknown_prompt': [
		'prompt has a value that this service does not know.',
		'Use none, login or consent, separated by spaces.',
		"url.searchParams.set('prompt', 'login')"
	],
	'auth.no_page_needed login_required': [
		'The request forbids pages, and no user is signed in. Or the sign-in is older than max_age.',
		'Show a sign-in button. Send the user here again without prompt=none.',
		again
	],
	'auth.no_page_needed consent_required': [
		'The request forbids pages, and asks for more than the user has granted.',
		'Send the user here again without prompt=none.',
		again
	],
	'auth.no_page_needed installed_application': [
		'The request forbids pages. An installed application cannot prove who it is, so its users always decide.',
		'Send the user here again without prompt=none.',
		again
	],
	'auth.no_page_needed no_navigation': [
		'The request forbids pages, and comes from a script or a frame. Codes are issued to navigations only.',
		'Navigate the browser, or open a window. Frames do not send the cookie of this service.',
		'location.assign(url)'
	],
	'keys.returned': [
		'The service creates keys one after the other, and too many requests of this address wait.',
		'Read the keys once, and keep them until an ID token has an unknown kid.',
		'const keys = createRemoteJWKSet(new URL(jwks_uri))'
	],
	'userinfo.method_allowed': wrongMethod('GET or POST', 'Read the user with GET.'),
	'userinfo.scope_granted': [
		'The access token was issued for other scopes. Without openid, it says nothing of the user.',
		'Add openid to scope of the authorization request, and profile or email as needed.',
		"url.searchParams.set('scope', 'openid profile email')"
	]
} satisfies Explanations;
