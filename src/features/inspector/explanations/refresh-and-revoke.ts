import { wrongMethod, type CheckExplanations } from './explanation.ts';

const again = 'location.assign(authorizationUrl) // the user must authorize again';
const refreshToken = "body.set('refresh_token', tokens.refresh_token)";
const revokeUrl = 'url.search = new URLSearchParams({ token: refreshToken, client_id: clientId })';

/** Of the refresh of an access token, and of the revocation endpoint. */
export const refreshAndRevoke = {
	'token.refresh_token_present': [
		'The form has no refresh_token.',
		'Add the refresh token that you stored.',
		refreshToken
	],
	'token.refresh_token_known': [
		'This sandbox has no such refresh token. It was revoked, changed on the way, or belongs to another sandbox.',
		'Delete the stored token and ask the user to authorize again. Do not retry.',
		again
	],
	'token.refresh_token_known revoked': [
		'The refresh token was issued here, and access was revoked since.',
		'Delete the stored tokens and ask the user to authorize again. Do not retry.',
		again
	],
	'token.refresh_token_known replayed': [
		'The code that led to this token was used twice, so all tokens of it were revoked.',
		'Exchange each code once. Ask the user to authorize again.',
		again
	],
	'token.refresh_token_known other_kind': [
		'The value was issued here, but not as a refresh token.',
		'Send the refresh_token of the token response. Only the first offline exchange returns one, so store it.',
		refreshToken
	],
	'token.refresh_token_known literal_nothing': [
		'The client sent a text such as undefined or null: the name of nothing, in place of a refresh token.',
		'Check that you have a value before you send it.',
		refreshToken
	],
	'token.refresh_token_known blank_around': [
		'The value has blanks at its start or end.',
		'Send it exactly as received. Trim what comes from a file, from the environment, or from a user.',
		'value.trim()'
	],
	'token.refresh_token_issued_to_client': [
		'The refresh token was issued to another application.',
		'Store tokens together with the client_id that they belong to.',
		'await store.set(`${clientId} ${username}`, tokens)'
	],
	'token.refresh_token_active access_revoked': [
		'The user revoked access.',
		'Delete the stored tokens and ask the user to authorize again. Do not retry.',
		again
	],
	'token.refresh_token_active account_deleted': [
		'The account of the user was deleted.',
		'Delete the stored tokens.',
		again
	],
	'token.scope_not_widened not_granted': [
		'The request asks for a scope that the user has not granted. A refresh can only narrow the scope.',
		'Leave scope out to get everything that was granted, or start a new authorization for more.',
		"body.delete('scope')"
	],
	'token.scope_not_widened malformed_scope': [
		'The value of scope is no list of names separated by spaces.',
		'Leave scope out to get everything that was granted.',
		"body.set('scope', scopes.join(' '))"
	],
	'revoke.method_is_get': wrongMethod('GET', 'Send token and client_id in the query of a GET.'),
	'revoke.not_prefetched': [
		'A browser or a link preview fetched the URL before a user asked for it.',
		'Request the endpoint from code. Do not put its URL into a link.',
		'await fetch(revocationUrl)'
	],
	'revoke.parameters_present missing_parameter': [
		'The query has no token or no client_id.',
		'Send both in the query.',
		revokeUrl
	],
	'revoke.parameters_present duplicate_parameter': [
		'A parameter is in the query twice, so its value is ambiguous.',
		'Send each parameter once.',
		revokeUrl
	],
	'revoke.client_known': [
		'No application of this sandbox has this client_id.',
		'Compare it with the console. Each sandbox has its own applications.',
		revokeUrl
	],
	'revoke.token_known': [
		'The value is no refresh token of this sandbox. It was revoked before, or changed on the way.',
		'Treat it as revoked, and delete it. Do not retry.',
		'await store.delete(username)'
	],
	'revoke.token_known revoked': [
		'The token was revoked before.',
		'Nothing is left to revoke. Delete the stored tokens.',
		'await store.delete(username)'
	],
	'revoke.token_known replayed': [
		'The code that led to this token was used twice, so the token was revoked then.',
		'Nothing is left to revoke. Delete the stored tokens.',
		'await store.delete(username)'
	],
	'revoke.token_known other_kind': [
		'The value was issued here, but not as a refresh token. Access tokens cannot be revoked on their own.',
		'Send the refresh token. Its access tokens end with it.',
		revokeUrl
	],
	'revoke.token_issued_to_client': [
		'The token was issued to another application.',
		'Send the client_id that the token belongs to.',
		revokeUrl
	],
	'revoke.token_active': [
		'The grant of this token was revoked before.',
		'Nothing is left to revoke. Delete the stored tokens.',
		'await store.delete(username)'
	],
	'revoke.grant_revoked': [
		'Another request revoked the grant at the same time.',
		'Nothing is left to revoke. Delete the stored tokens.',
		'await store.delete(username)'
	]
} satisfies CheckExplanations;
