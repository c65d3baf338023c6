import { wrongMethod, type CheckExplanations } from './explanation.ts';

const ask = "body: new URLSearchParams({ client_id, scope: 'character_read' })";
const poll = 'body: new URLSearchParams({ grant_type, device_code, client_id })';
const wait = 'await sleep(interval * 1000)';
const slower = 'interval += 5; await sleep(interval * 1000)';
const stop = 'clearTimeout(timer); show(error)';
const newCodes = 'const codes = await post(device_authorization_endpoint, { client_id })';

/** Of the device flow. */
export const device = {
	'device.method_is_post': wrongMethod('POST', 'Send client_id and scope as a form.'),
	'device.page_method_allowed': wrongMethod('GET', 'Open the page in a browser.'),
	'device.scope_known malformed_scope': [
		'scope has characters that no scope can have.',
		'Send names separated by one space, without quotes.',
		ask
	],
	'device.scope_known missing_parameter': [
		'The request names no scope, and this sandbox has no permission to use in its place.',
		'Send the scopes that the device needs.',
		ask
	],
	'device.scope_known unknown_scope': [
		'scope names a permission that this sandbox does not have.',
		'Use the names of scopes_supported in the metadata.',
		ask
	],
	'token.device_code_present': [
		'The form has no device_code.',
		'Send the device_code of the device authorization response, not the user_code.',
		poll
	],
	'token.device_code_known': [
		'No device has this device_code. It was changed, is of another sandbox, or ended an hour ago.',
		'Send the device_code unchanged. Stop polling after invalid_grant.',
		poll
	],
	'token.device_code_issued_to_client': [
		'Another application asked for this device_code.',
		'Poll with the client_id that asked for the codes.',
		poll
	],
	'token.device_code_valid already_used': [
		'This device_code led to tokens before. It works once.',
		'Stop polling when the tokens arrive, and store them.',
		stop
	],
	'token.device_code_valid expired': [
		'The user did not decide before expires_in had passed.',
		'Stop polling. Ask for new codes when the user wants to try again.',
		newCodes
	],
	'token.device_interval_kept': [
		'The poll arrived before the interval since the last one had passed. Each slow_down adds 5 seconds to the interval.',
		'Wait interval seconds between two polls. Add 5 after each slow_down, for all further polls.',
		slower
	],
	'token.device_user_decided undecided': [
		'The user has not entered the code, or has not decided yet. This is how a device waits.',
		'Poll again after the interval.',
		wait
	],
	'token.device_user_decided denied': [
		'The user chose Deny on the page.',
		'Stop polling, and tell the user on the device. Do not ask again by yourself.',
		stop
	],
	'token.device_user_decided access_revoked': [
		'The user allowed access, and revoked it before the device got its tokens.',
		'Stop polling. Ask for new codes when the user wants to try again.',
		newCodes
	],
	'token.device_user_decided account_deleted': [
		'The account that allowed access no longer exists.',
		'Stop polling. Ask for new codes, for another account.',
		newCodes
	],
	'token.device_code_exchanged already_used': [
		'Two polls arrived at the same time, and the other one got the tokens.',
		'Send one poll at a time.',
		wait
	]
} satisfies CheckExplanations;
