import type { CheckExplanations } from './explanation.ts';

const readCode = "const code = new URL(location.href).searchParams.get('code')";
const newCode = 'location.assign(authorizationUrl) // ask for a new code';
const sameUri = "body.set('redirect_uri', redirectUri) // the string of the authorization request";
const randomVerifier = [
	'Generate 32 random bytes, and write them as base64url without padding.',
	"const codeVerifier = crypto.randomBytes(32).toString('base64url')"
] as const;
const sendVerifier = "body.set('code_verifier', sessionStorage.getItem('code_verifier'))";
const once = "sessionStorage.removeItem('state') // before the exchange, so that it runs once";

export const codeExchange = {
	'token.code_present': [
		'The form has no code.',
		'Read the code from the query of the redirect URI, after you have compared the state.',
		readCode
	],
	'token.code_known': [
		'This sandbox has no such code. It was changed on the way, belongs to another sandbox, or expired long ago.',
		'Send the code exactly as received, to the service that issued it.',
		readCode
	],
	'token.code_known expired': [
		'The code was issued here, expired, and was deleted since.',
		'Exchange a code as soon as it arrives. Ask for a new one.',
		newCode
	],
	'token.code_known other_kind': [
		'The value is not a code. It was issued here as something else.',
		'Send the parameter code of the redirect, not a token or the state.',
		readCode
	],
	'token.code_known literal_nothing': [
		'The client sent a text such as undefined or null: the name of nothing, in place of a code.',
		'Check that you have a value before you send it.',
		"if (!params.has('code')) return showError()"
	],
	'token.code_known blank_around': [
		'The value has blanks at its start or end.',
		'Send it exactly as received. Trim what comes from a file, from the environment, or from a user.',
		'value.trim()'
	],
	'token.code_known decoded_twice': [
		'The code was decoded twice. Text in it that looks encoded was changed.',
		'Read the parameter with a URL library, which decodes it once.',
		readCode
	],
	'token.code_known not_decoded': [
		'The code was sent encoded: it was not decoded when it was read, or encoded twice when it was sent.',
		'Read the parameter with a URL library, and let a form library encode it.',
		readCode
	],
	'token.code_known plus_as_space': [
		'A plus sign of the code arrived as a space. In a form, a plus sign must be written as %2B.',
		'Let a form library encode the fields.',
		'new URLSearchParams({ code })'
	],
	'token.code_known cut': [
		'Only a part of the code arrived. A character of it was not encoded, or a field of your database is too short.',
		'Encode the code in the form, and store it in full.',
		'new URLSearchParams({ code })'
	],
	'token.code_known changed': [
		'The code begins like one that was issued, and goes on in another way.',
		'Send the code as the URL library returns it, and let a form library encode it.',
		'new URLSearchParams({ code })'
	],
	'token.code_issued_to_client': [
		'The code was issued to another application. A code works only for the client that asked for it.',
		'Use the same client_id in the authorization request and in the exchange.',
		"body.set('client_id', clientId) // as in the authorization URL"
	],
	'token.code_not_used already_used': [
		'The code was exchanged before. A second use can mean that it was stolen, so the tokens of the first exchange were revoked.',
		'Exchange each code once. Remove the code from the URL before you continue, so that a reload does not send it again.',
		once
	],
	'token.code_not_used earlier_exchange_failed': [
		'An earlier exchange of this code failed, and that made it invalid.',
		'Correct the cause of the first failure, then ask for a new code. Do not retry with the same one.',
		newCode
	],
	'token.code_not_expired': [
		'The exchange came after the code had expired.',
		'Exchange the code at once. Ask for a new one.',
		newCode
	],
	'token.redirect_uri_matches missing_field': [
		'The form has no redirect_uri. The authorization request had one, so the exchange needs the same.',
		'Add the redirect_uri of the authorization request, and send the request again. The code is still valid.',
		sameUri
	],
	'token.redirect_uri_matches different': [
		'The redirect_uri differs from that of the authorization request. It is compared character by character.',
		'Keep the URI in one constant and use it in both requests. The code is now invalid, so ask for a new one.',
		sameUri
	],
	'token.redirect_uri_registered': [
		'The redirect URI was removed from the application after the code was issued.',
		'Register the URI again, then ask for a new code.',
		newCode
	],
	'token.code_verifier_matches missing_verifier': [
		'The authorization request had a code_challenge, and the exchange has no code_verifier.',
		'Store the verifier with the state, and send it with the code. The code is now invalid.',
		sendVerifier
	],
	'token.code_verifier_matches wrong_verifier': [
		'SHA-256 of the code_verifier is not the code_challenge. Often the verifier of another sign-in was sent.',
		'Store one verifier for each state. The code is now invalid.',
		'sessionStorage.setItem(`verifier ${state}`, codeVerifier)'
	],
	'token.code_verifier_matches verifier_too_short': [
		'The code_verifier is shorter than 43 characters. It was cut off, or it has too little random data.',
		...randomVerifier
	],
	'token.code_verifier_matches verifier_too_long': [
		'The code_verifier is longer than 128 characters, the most that servers must accept.',
		...randomVerifier
	],
	'token.code_verifier_matches verifier_characters': [
		'The code_verifier has a character that is not allowed, for example +, / or = of plain base64. Other servers reject it, too.',
		...randomVerifier
	],
	'token.code_verifier_matches verifier_is_challenge': [
		'The code_challenge was sent as code_verifier.',
		'Send the value that was hashed, not the hash.',
		sendVerifier
	],
	'token.code_verifier_matches unexpected_verifier': [
		'The exchange has a code_verifier, and the authorization request had no code_challenge.',
		'Add code_challenge and code_challenge_method=S256 to the authorization URL.',
		"url.searchParams.set('code_challenge_method', 'S256')"
	],
	'token.grant_active access_revoked': [
		'The user revoked access after the code was issued.',
		'Ask the user to authorize again.',
		newCode
	],
	'token.grant_active account_deleted': [
		'The account of the user was deleted after the code was issued.',
		'Ask the user to sign in with another account.',
		newCode
	],
	'token.code_exchanged already_used': [
		'Two exchanges of the same code ran at the same time, and the other one was first.',
		'Run the exchange once, for example in one tab or under a lock.',
		"await navigator.locks.request('exchange', () => exchange(code))"
	],
	'token.code_exchanged earlier_exchange_failed': [
		'Another exchange of the same code failed at the same time and made it invalid.',
		'Run the exchange once, and ask for a new code.',
		newCode
	],
	'token.code_exchanged unknown': [
		'The code was deleted while it was being exchanged.',
		'Ask for a new code.',
		newCode
	],
	'token.code_exchanged access_revoked': [
		'The user revoked access while the code was being exchanged.',
		'Ask the user to authorize again.',
		newCode
	],
	'token.code_exchanged account_deleted': [
		'The account was deleted while the code was being exchanged.',
		'Ask the user to sign in with another account.',
		newCode
	]
} satisfies CheckExplanations;
