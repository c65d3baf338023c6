import type { CheckExplanations } from './explanation.ts';

const type = "subject_token_type: 'urn:ietf:params:oauth:token-type:access_token'";
const subject = 'subject_token: accessToken // of the user';
const actor = 'actor_token: ownAccessToken';
const scope = "scope: 'character_read'";
const again = 'location.assign(authorizationUrl) // the user must authorize again';

/** Of the exchange of an access token. */
export const tokenExchange = {
	'token.subject_token_present missing_field': [
		'The form has no subject_token.',
		'Send the access token of the user that arrived with the request.',
		subject
	],
	'token.subject_token_present wrong_token_type': [
		'A token type is missing, or is another one. This service exchanges access tokens for access tokens.',
		'Send the type of access tokens as subject_token_type, and leave requested_token_type out.',
		type
	],
	'token.subject_token_active unknown_token': [
		'No active access token is this subject_token. It has expired, or is of another sandbox.',
		'Exchange a token soon after it arrives.',
		subject
	],
	'token.subject_token_active access_revoked': [
		'The user revoked the access that the subject_token was issued for.',
		'Stop, and let the first application ask the user again.',
		again
	],
	'token.subject_token_active account_deleted': [
		'The account of the subject_token was deleted.',
		'Stop, and let the first application ask the user again.',
		again
	],
	'token.subject_token_active no_proof': [
		'The subject_token is bound to a key, and a client that registered itself must prove that it has this key.',
		'Send a DPoP proof of the key. Or let the owner of the sandbox register the client in the console.',
		'headers: { DPoP: await proofOf(key) }'
	],
	'token.subject_token_active other_key': [
		'The subject_token is bound to another key than that of the proof.',
		'Sign the proof with the key of the subject_token.',
		'headers: { DPoP: await proofOf(key) }'
	],
	'token.subject_token_active no_user': [
		'The subject_token was issued to an application itself, so there is no user to act for.',
		'Ask for an own token with client credentials.',
		"grant_type: 'client_credentials'"
	],
	'token.actor_known other_client': [
		'The actor_token was issued to another application. An application can name only itself or its own users as actor.',
		'Send a token of your own, or leave actor_token out.',
		actor
	],
	'token.actor_known too_many_actors': [
		'The token was passed on too often. Each exchange adds an actor.',
		'Exchange the first token in place of one that was exchanged.',
		subject
	],
	'token.actor_known type_without_actor': [
		'actor_token_type names the type of an actor_token, and there is none (RFC 8693 §2.1).',
		'Send both, or leave both out.',
		actor
	],
	'token.actor_known unknown_token': [
		'No active access token is this actor_token.',
		'Send an active token of your own, or leave actor_token out.',
		actor
	],
	'token.actor_known wrong_token_type': [
		'actor_token needs its type, and this service knows access tokens only.',
		'Send the type of access tokens as actor_token_type.',
		"actor_token_type: 'urn:ietf:params:oauth:token-type:access_token'"
	],
	'token.audience_is_uri': [
		'audience is no absolute URI. This service names resources by their URLs.',
		'Send the URL of the resource, as audience or as resource.',
		'audience: resourceUrl'
	],
	'token.scope_narrowed malformed_scope': [
		'scope has characters that no scope can have.',
		'Send names separated by one space.',
		scope
	],
	'token.scope_narrowed not_granted': [
		'scope asks for more than the subject_token has. An exchange never adds permissions.',
		'Ask for some of the scopes of the subject_token.',
		scope
	]
} as const satisfies CheckExplanations;
