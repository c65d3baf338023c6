import { wrongMethod, type CheckExplanations } from './explanation.ts';

const signOut = 'location.assign(`${end_session_endpoint}?id_token_hint=${id_token}`)';
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
	'auth.request_object_absent request_object': [
		'The parameter request holds a signed request object. This service does not read those.',
		'Send all parameters in the query. The metadata says request_parameter_supported: false.',
		"url.searchParams.delete('request')"
	],
	'auth.request_object_absent request_uri': [
		'The parameter request_uri is no URI of a pushed request. This service reads no request objects.',
		'Push the request to pushed_authorization_request_endpoint, or send all parameters in the query.',
		"url.searchParams.delete('request_uri')"
	],
	'auth.request_object_absent registration': [
		'The parameter registration is for clients that are their own provider. This service does not read it.',
		'Register the client in the console or by POST, and leave registration out.',
		"url.searchParams.delete('registration')"
	],
	'auth.form_is_valid broken_field': [
		'The form has more than 100 fields.',
		'Send the parameters of the authorization request only.',
		"url.searchParams.set('response_type', 'code')"
	],
	'auth.form_is_valid not_a_form': [
		'An authorization request by POST is a form. Other bodies are not read.',
		'Send the parameters as a form, or in the query with GET.',
		'location.assign(url)'
	],
	'auth.response_mode_supported unsupported_value': [
		'The client asked for a response in another place than this service can write to.',
		'Leave response_mode out for the query, or send form_post. The metadata lists response_modes_supported.',
		"url.searchParams.set('response_mode', 'query')"
	],
	'auth.openid_parameters_valid unknown_id_token': [
		'id_token_hint is no ID token of this sandbox for this client, or its key was replaced three times since.',
		'Send the last ID token that the user got, unchanged. Or leave id_token_hint out.',
		"url.searchParams.set('id_token_hint', tokens.id_token)"
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
	'logout.method_allowed': wrongMethod('GET or POST', 'Send the browser of the user here with GET.'),
	'logout.form_sent_on broken_field': [
		'A field of the form was sent twice, or is not percent-encoded UTF-8.',
		'Let the browser encode the form.',
		signOut
	],
	'logout.form_sent_on not_a_form': [
		'The body is not a form.',
		'Send the parameters as a form, or in the query.',
		signOut
	],
	'logout.parameters_valid': [
		'A parameter was sent twice, or is not percent-encoded UTF-8.',
		'Send each parameter once, and encode it once.',
		signOut
	],
	'logout.client_known client_ids_differ': [
		'The ID token in id_token_hint was issued to another client than the one that client_id names.',
		'Send the ID token that your client got, or leave client_id out.',
		signOut
	],
	'logout.client_known unknown_client': [
		'No application of this sandbox has this client_id.',
		'Compare it with the console. Each sandbox has its own applications.',
		signOut
	],
	'logout.redirect_uri_registered missing_client': [
		'Only registered URIs are redirected to, and the request names no client.',
		'Add client_id, or the id_token_hint of the user.',
		"url.searchParams.set('client_id', clientId)"
	],
	'logout.redirect_uri_registered not_registered': [
		'The application did not register this post_logout_redirect_uri. The text must be exactly the same.',
		'Add the URI to post_logout_redirect_uris of the application.',
		"post_logout_redirect_uris: ['https://app.example/signed-out']"
	],
	'logout.confirmed other_session': [
		'The page was shown to another session of this browser.',
		'Send the user here again.',
		signOut
	],
	'keys.returned': [
		'The service creates keys one after the other, and too many requests of this address wait.',
		'Read the keys once, and keep them until an ID token has an unknown kid.',
		'const keys = createRemoteJWKSet(new URL(jwks_uri))'
	],
	'userinfo.method_allowed': wrongMethod('GET or POST', 'Read the user with GET.'),
	'userinfo.scope_granted no_user': [
		'The access token is of the application itself. No user gave it, so there is no user to describe.',
		'Use the access token of a user, from a code that was requested with openid.',
		"url.searchParams.set('scope', 'openid profile')"
	],
	'userinfo.scope_granted': [
		'The access token was issued for other scopes. Without openid, it says nothing of the user.',
		'Add openid to scope of the authorization request, and profile or email as needed.',
		"url.searchParams.set('scope', 'openid profile email')"
	]
} satisfies CheckExplanations;
