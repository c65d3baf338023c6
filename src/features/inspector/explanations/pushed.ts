import { wrongMethod, type CheckExplanations } from './explanation.ts';

const push = 'const { request_uri } = await post(pushed_authorization_request_endpoint, parameters)';
const open = 'location.assign(`${authorization_endpoint}?${new URLSearchParams({ client_id, request_uri })}`)';

/** Of requests that a client pushes. */
export const pushed = {
	'par.method_is_post': wrongMethod('POST', 'Send the parameters of the authorization request as a form.'),
	'par.request_read state_too_long': [
		'The state has more than 4,096 bytes.',
		'Send a random id as state, and store the rest under it.',
		'state: crypto.randomUUID()'
	],
	'par.request_read too_many_parameters': [
		'The form has more than 100 parameters.',
		'Send the parameters of the authorization request only.',
		push
	],
	'par.dpop_key_matches': [
		'dpop_jkt in the form is the thumbprint of another key than that of the DPoP proof.',
		'Keep one key pair for a sign-in and all its tokens. With a proof, dpop_jkt can be left out.',
		"parameters.delete('dpop_jkt')"
	],
	'auth.request_uri_alone': [
		'The URL has request_uri twice, or parameters beside client_id and request_uri. Two values for one parameter are ambiguous, and a browser can change those of the URL.',
		'Push all parameters. Send client_id and request_uri only.',
		open
	],
	'auth.request_uri_valid unknown': [
		'No request was pushed with this request_uri. It was changed, is of another sandbox, or ended ten minutes ago.',
		'Send the request_uri of the response unchanged.',
		open
	],
	'auth.request_uri_valid other_client': [
		'Another application pushed this request.',
		'Send the client_id that pushed the request.',
		open
	],
	'auth.request_uri_valid already_used': [
		'A browser has opened the sign-in page with this request_uri before. It works once.',
		'Push a new request for each sign-in. Do not store the URL.',
		push
	],
	'auth.request_uri_valid expired': [
		'The request was pushed more than expires_in seconds ago.',
		'Push the request when the user starts the sign-in, not before.',
		push
	],
	'auth.request_pushed': [
		'This sandbox takes pushed requests only, and the parameters are in the URL.',
		'Push them first. Or turn off Pushed requests only in the settings.',
		push
	]
} satisfies CheckExplanations;
