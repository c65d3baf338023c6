import type { CheckExplanations, SharedExplanations } from './explanation.ts';

const key = "headers: { 'X-Tollgate-Key': process.env.SANDBOX_KEY }";
const retry = 'await sleep(1000 * 2 ** attempt) // at most three times';
const isFault = 'A fault of this sandbox produced the response. The client did nothing wrong.';
const handleFault = 'Check that the client handles it. Remove the fault under Faults when you are done.';

/** Of the checks that several endpoints share, and of the control API. */
export const general = {
	'address.not_blacklisted': [
		'The address is blacklisted, so the request gets no response. Waiting does not end this.',
		'Stop all requests. GET /ratelimiting says why. File a support ticket to be unblocked.',
		"await fetch('/ratelimiting', { headers: { Accept: 'application/json' } })"
	],
	'fault.not_injected': [isFault, handleFault, retry],
	'fault.rate_limit_not_injected': [
		'A fault of this sandbox responds as over the rate limit. Nothing was counted.',
		handleFault,
		"await sleep(response.headers.get('X-RateLimit-Reset') * 1000 - Date.now())"
	],
	'fault.error_not_injected': [
		'A fault of this sandbox sends an error to the redirect URI.',
		handleFault,
		"if (params.has('error')) showError(params.get('error'))"
	],
	'fault.not_injected_after_commit': [
		'The service did its work, and a fault of this sandbox changed the response.',
		'The result of a lost response is unknown. Check it before you repeat the request.',
		retry
	],
	'control.access_granted key_missing': [
		'The request has no key, and this browser did not create the sandbox.',
		'Send the key of the sandbox in a header, never in the URL.',
		key
	],
	'control.access_granted key_wrong': [
		'The key belongs to another sandbox, or was mistyped.',
		'Use the key that the creation of the sandbox returned.',
		key
	],
	'control.method_allowed': [
		'The path exists, and does not take this method.',
		'Use a method of the Allow header. The API reference lists all requests.',
		"response.headers.get('Allow')"
	],
	'control.request_handled': [
		'The request is not one that the control API can do. The error names the field.',
		'Compare the body with the API reference.',
		"headers: { 'Content-Type': 'application/json' }"
	],
	'service.path_known': [
		'The service has nothing at this path. Letter case and slashes count.',
		'Compare the path with the API reference.',
		"new URL('/ws/oauth2/token/', baseUrl)"
	],
	'service.path_known other_dialect': [
		'Only the dialect of today’s standards has this path, and the sandbox spoke that of the specification.',
		'Change the dialect of the sandbox, or configure the client without metadata.',
		"{ authorization_endpoint: '/ws/oauth2/auth/', token_endpoint: '/ws/oauth2/token/' }"
	],
	'sandbox.exists': [
		'The sandbox does not exist, or was deleted.',
		'Create a sandbox, and use its base URL.',
		"await fetch('/control/sandboxes', { method: 'POST' })"
	],
	'sandbox.unknown_ids_limited': [
		'This address requested too many sandboxes that do not exist.',
		'Wait five minutes, and correct the base URL.',
		'const baseUrl = process.env.TOLLGATE_URL'
	]
} satisfies CheckExplanations;

/** Of the causes that any check can have. */
export const shared = {
	body_too_large: [
		'The body is longer than this path takes.',
		'Send only the fields of the request.',
		"body.get('scope').length"
	],
	internal_error: [
		'The service failed. The client did nothing wrong.',
		'Retry later, and report the request to the operator.',
		retry
	],
	other_site: [
		'A page of another site sent the request.',
		'Send it from a page of this service, or from a program.',
		key
	],
	sandbox_full: [
		'The sandbox has no space for another record.',
		'Delete what you no longer need, or reset the sandbox.',
		"await fetch('/control/reset', { method: 'POST', headers })"
	],
	store_unavailable: [
		'The service could not reach its store. The client did nothing wrong.',
		'Wait for Retry-After, then retry.',
		retry
	],
	too_many_attempts: [
		'Too many requests with wrong credentials came from this address.',
		'Wait for Retry-After, and correct the credentials before you retry.',
		"await sleep(response.headers.get('Retry-After') * 1000)"
	]
} satisfies SharedExplanations;
