import type { CheckRows } from './check-row.ts';

/** Checks of any request: address, faults, limits, sessions, sandboxes and the control API. */
export const generalChecks = {
	'address.not_blacklisted': {
		title: 'The address is not blacklisted',
		section: '3.3',
		standard: 'same',
		reads: ['address'],
		responds: 'No response: address is blacklisted',
		failed: 'address is blacklisted'
	},
	'address.header_is_valid': {
		title: 'The address header names a virtual address',
		section: '8.2',
		standard: 'same',
		reads: ['X-Tollgate-Address'],
		failed: 'malformed address header'
	},
	'cors.origin_compared': {
		title: 'The origin of a script is compared with registered redirect URIs',
		section: 'RFC 9700 §2.6',
		reads: ['Origin'],
		responds: 'Preflight accepted',
		cannotFail: true
	},
	'fault.not_injected': {
		title: 'Faults are applied',
		section: '',
		responds: 'Fault: response replaced',
		failed: 'injected fault'
	},
	'fault.rate_limit_not_injected': {
		title: 'Rate limit faults are applied',
		section: '',
		failed: 'injected rate limit'
	},
	'fault.error_not_injected': {
		title: 'No error response is injected',
		section: '',
		responds: 'Fault: access denied',
		failed: 'injected error'
	},
	'fault.not_injected_after_commit': {
		title: 'Faults are applied after the request was handled',
		section: '',
		responds: 'Fault: response replaced',
		failed: 'injected fault'
	},
	'fault.response_changed': { title: 'A fault changes the response', section: '', cannotFail: true },
	'pause.not_held': { title: 'The message was not held by the pause', section: '', cannotFail: true },
	'pause.released': { title: 'The message was released after a pause', section: '', cannotFail: true },
	'rate_limit.not_exceeded': {
		title: 'The request is within the rate limit',
		section: '8',
		standard: { section: 'RFC 6585 §4' },
		reads: ['address'],
		causes: { now_blacklisted: 'rate limit exceeded, address now blacklisted', over_limit: 'rate limit exceeded' }
	},
	'rate_limit.few_at_once': {
		title: 'Few enough requests are in progress',
		section: '8',
		standard: { section: 'RFC 6585 §4' },
		reads: ['address'],
		failed: 'too many requests at once'
	},
	'session.loaded': {
		title: 'The session of the browser is loaded',
		section: '5.2',
		standard: 'same',
		reads: ['Cookie'],
		cannotFail: true
	},
	'csrf.form_from_this_browser': {
		title: 'The form was sent from a page of this service, in this browser',
		section: 'RFC 6749 §10.12',
		reads: ['Cookie', 'csrf_token'],
		causes: {
			broken_field: 'malformed form field',
			not_a_form: 'body is not a form',
			other_session: 'form of another session'
		}
	},
	'service.path_known': {
		title: 'The path exists',
		section: '4',
		standard: { section: 'RFC 9110 §15.5.5' },
		reads: ['path'],
		failed: 'no such path',
		causes: { other_dialect: 'path of the other dialect' }
	},
	'sandbox.exists': { title: 'The sandbox exists', section: '', reads: ['path'], failed: 'no such sandbox' },
	'sandbox.unknown_ids_limited': {
		title: 'The address has not requested too many unknown sandboxes',
		section: '',
		reads: ['address'],
		failed: 'too many unknown sandboxes'
	},
	'control.request_handled': {
		title: 'The request is handled',
		section: '',
		responds: 'Request handled',
		failed: 'request not handled'
	},
	'control.access_granted': {
		title: 'The caller may control this sandbox',
		section: '',
		reads: ['X-Tollgate-Key'],
		causes: { key_missing: 'sandbox key missing', key_wrong: 'wrong sandbox key' }
	},
	'control.method_allowed': {
		title: 'The method is allowed',
		section: 'RFC 9110 §15.5.6',
		reads: ['method'],
		failed: 'wrong method'
	}
} as const satisfies CheckRows;
