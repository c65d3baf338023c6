import { wrongMethod, type CheckExplanations } from './explanation.ts';

const header = 'headers: { Authorization: `OAuth ${accessToken}` }';
const refresh = 'if (response.status === 401) tokens = await refresh(tokens.refresh_token)';
const wait = "await sleep(response.headers.get('X-RateLimit-Reset') * 1000 - Date.now())";

/** Of resource requests: rate limits, access tokens and characters. */
export const resources = {
	'rate_limit.not_exceeded over_limit': [
		'What is left of this window does not cover this request. Rejected requests count toward the blacklist.',
		'Stop until the reset. Read X-RateLimit-Remaining from every response, and stop at 0.',
		wait
	],
	'rate_limit.not_exceeded now_blacklisted': [
		'The client went on after it was rejected, so its address is now blacklisted. Further requests get no response.',
		'Stop all requests and file a support ticket. Later, stop at the first rejected request, and wait for the reset.',
		wait
	],
	'rate_limit.few_at_once': [
		'Other requests of this address are still in progress, as many as this sandbox allows at once.',
		'Wait for a response before the next request, or send them through a queue of that many.',
		'await queue.add(() => read(name))'
	],
	'access_token.sent_once missing_token': [
		'The request has no access token.',
		'Send it in the Authorization header, with the scheme OAuth.',
		header
	],
	'access_token.sent_once sent_twice': [
		'The request has more than one access token.',
		'Send it in the Authorization header only.',
		header
	],
	'access_token.sent_once bearer_scheme': [
		'The scheme is Bearer. This service takes OAuth.',
		'Use the token_type of the token response as the scheme.',
		'headers: { Authorization: `${tokens.token_type} ${tokens.access_token}` }'
	],
	'access_token.sent_once other_scheme': [
		'The Authorization header does not start with OAuth.',
		'Write the scheme, one space, and the token.',
		header
	],
	'access_token.sent_once empty_token': [
		'The Authorization header has no token after OAuth.',
		'Sign in first, then send the access_token of the token response.',
		header
	],
	'access_token.sent_once malformed_token': [
		'The token has characters that no token has, such as quotes or spaces.',
		'Send the access_token of the token response unchanged.',
		header
	],
	'access_token.known': [
		'This sandbox has no such access token. It expired, was changed on the way, or belongs to another sandbox.',
		'Refresh once, then repeat the request once. If there is no refresh token, ask the user to authorize.',
		refresh
	],
	'access_token.known expired': [
		'The access token expired before this request, by the clock of the sandbox.',
		'Refresh shortly before expires_in ends, and once more after a 401.',
		refresh
	],
	'access_token.known revoked': [
		'Access was revoked, and the access token ended with it.',
		'Delete the stored tokens and ask the user to authorize again.',
		'location.assign(authorizationUrl)'
	],
	'access_token.known replayed': [
		'The code that led to this token was used twice, so all tokens of it were revoked.',
		'Exchange each code once. Ask the user to authorize again.',
		'location.assign(authorizationUrl)'
	],
	'access_token.known other_kind': [
		'The value was issued here, but not as an access token.',
		'Send the access_token of the token response.',
		header
	],
	'access_token.known literal_nothing': [
		'The client sent a text such as undefined or null: the name of nothing, in place of an access token.',
		'Check that you have a value before you send it.',
		header
	],
	'access_token.known blank_around': [
		'The value has blanks at its start or end.',
		'Send it exactly as received. Trim what comes from a file, from the environment, or from a user.',
		'value.trim()'
	],
	'access_token.not_revoked': [
		'The user revoked access, or the code of this token was used twice.',
		'Delete the stored tokens and ask the user to authorize again. A refresh fails, too.',
		'location.assign(authorizationUrl)'
	],
	'access_token.owners_exist application_deleted': [
		'The application of this token was deleted.',
		'Register an application, and let the user authorize it.',
		'location.assign(authorizationUrl)'
	],
	'access_token.owners_exist account_deleted': [
		'The account of this token was deleted.',
		'Ask the user to sign in with another account.',
		'location.assign(authorizationUrl)'
	],
	'address.header_is_valid': [
		'The header names no address that can be simulated.',
		'Send an address of 192.0.2.0/24 or 2001:db8::/32, or leave the header out.',
		"headers: { 'X-Tollgate-Address': '192.0.2.7' }"
	],
	'character.method_is_get': wrongMethod('GET', 'Read this resource with GET.'),
	'character.scope_granted': [
		'The token does not have a scope that lets it read this resource.',
		'Ask for the scope in a new authorization request. A refresh cannot add it.',
		"url.searchParams.set('scope', [...granted, missing].join(' '))"
	],
	'character.name_valid': [
		'The path does not end with one encoded name. Often a slash in the name was not encoded.',
		'Encode the name as one path segment.',
		'`/ws/v2.0/character/${encodeURIComponent(name)}`'
	],
	'character.not_a_test_card': [
		'This name is a test card that never responds.',
		'Set a timeout for every request, and retry later.',
		'signal: AbortSignal.timeout(10_000)'
	],
	'character.not_a_test_card simulated_error': [
		'This name is a test card that causes an internal error.',
		'Retry a few times with growing pauses, then report the failure.',
		'await sleep(1000 * 2 ** attempt)'
	],
	'character.not_a_test_card too_many_delayed': [
		'The sandbox delays 100 responses already.',
		'Send fewer requests at a time to slow test cards.',
		'signal: AbortSignal.timeout(10_000)'
	],
	'character.exists': [
		'The name was not found. Capitals, accents and punctuation count.',
		'Send the name unchanged, and handle 404 as “no such name”.',
		'if (response.status === 404) return undefined'
	],
	'character.exists encoded_twice': [
		'The name was encoded twice. After one decoding it still has escapes such as %20.',
		'Encode the name once: do not encode the whole URL again.',
		'`/ws/v2.0/character/${encodeURIComponent(name)}`'
	],
	'character.exists plus_as_space': [
		'The name has a plus sign in place of a space. In a path, a plus sign is a plus sign.',
		'Encode a space as %20. Encoders of forms and queries write a plus sign.',
		'`/ws/v2.0/character/${encodeURIComponent(name)}`'
	],
	'records.method_allowed': [
		'A list takes GET, and POST where the world has a permission that writes it. A record takes GET.',
		'Read with GET. Send a new record to the path of its list.',
		"method: 'POST'"
	],
	'records.scope_granted': [
		'The token does not have the permission of this kind. Reading and writing are two permissions.',
		'Ask for the scope in a new authorization request. A refresh cannot add it.',
		"url.searchParams.set('scope', [...granted, missing].join(' '))"
	],
	'records.scope_granted no_user': [
		'The application has this token for itself. Records belong to users.',
		'Send a user to the authorization endpoint, and use the token of that sign-in.',
		'location.assign(authorizationUrl)'
	],
	'records.query_valid': [
		'The query has a parameter that is no field of this kind, or a value of another type.',
		'Filter by declared fields, with exact values. Follow the URLs of Link to other pages.',
		"url.searchParams.set('status', 'booked')"
	],
	'records.exists': [
		'The signed-in account has no record with this id. It can be that of another account.',
		'Take ids from the list of the same user, and handle 404 as “no such record”.',
		'if (response.status === 404) return undefined'
	],
	'records.body_valid': [
		'A field is missing, not declared, read-only or of another type. The description names it.',
		'Send the fields that the kind declares. The API description of the sandbox lists them.',
		'body: JSON.stringify({ amount: 12.5, currency: "EUR" })'
	],
	'records.body_valid not_json': [
		'A new record is a JSON object. The body was something else, or its Content-Type says so.',
		'Send JSON with its Content-Type.',
		"headers: { 'Content-Type': 'application/json' }"
	],
	'records.created': [
		'The account has as many records of this kind as it can have.',
		'Reset the sandbox. It has the records of its world then.'
	],
	'ratelimits.method_is_get': wrongMethod('GET', 'Read rate limits with GET.'),
	'ratelimiting.method_is_get': wrongMethod('GET', 'Read the status with GET.'),
	'ratelimiting.not_polled_too_often': [
		'The status was requested more than 60 times in one minute.',
		'Ask once a minute at most. The headers of every response contain the same numbers.',
		'setInterval(readStatus, 60_000)'
	]
} satisfies CheckExplanations;
