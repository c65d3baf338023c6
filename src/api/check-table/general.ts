import type { CheckRows } from './check-row.ts';

/** Checks of any request: address, faults, limits, sessions, sandboxes and the control API. */
export const generalChecks = {
	'address.not_blacklisted': { reads: ['address'], responds: true, failed: true },
	'address.header_is_valid': { reads: ['X-Tollgate-Address'], failed: true },
	'cors.origin_compared': { reads: ['Origin'], responds: true, cannotFail: true },
	'fault.not_injected': { responds: true, failed: true },
	'fault.rate_limit_not_injected': { failed: true, mistakes: ['over_limit'] },
	'fault.error_not_injected': { responds: true, failed: true },
	'fault.not_injected_after_commit': { responds: true, failed: true },
	'fault.response_changed': { cannotFail: true },
	'pause.not_held': { cannotFail: true },
	'pause.released': { cannotFail: true },
	'rate_limit.not_exceeded': { reads: ['address'], causes: ['now_blacklisted', 'over_limit'] },
	'rate_limit.few_at_once': { reads: ['address'], failed: true },
	'session.loaded': { reads: ['Cookie'], cannotFail: true },
	'csrf.form_from_this_browser': {
		reads: ['Cookie', 'csrf_token'],
		causes: ['broken_field', 'not_a_form', 'other_session']
	},
	'service.path_known': { reads: ['path'], failed: true, causes: ['other_dialect'] },
	'sandbox.exists': { reads: ['path'], failed: true },
	'sandbox.unknown_ids_limited': { reads: ['address'], failed: true },
	'control.request_handled': { responds: true, failed: true },
	'control.access_granted': { reads: ['X-Tollgate-Key'], causes: ['key_missing', 'key_wrong'] },
	'control.method_allowed': { reads: ['method'], failed: true }
} as const satisfies CheckRows;
