import type { CheckRows } from './check-row.ts';

/** Checks of the device flow (RFC 8628): its endpoint, its page, and the polls at the token endpoint. */
export const deviceChecks = {
	'device.method_is_post': { reads: ['method'], failed: true },
	'device.scope_known': { reads: ['scope'], causes: ['malformed_scope', 'missing_parameter', 'unknown_scope'] },
	'device.codes_issued': { responds: true, cannotFail: true },
	'device.page_method_allowed': { reads: ['method'], failed: true },
	'device.user_signed_in': { reads: ['Cookie', 'username', 'password'], responds: true, cannotFail: true },
	'device.user_code_known': { reads: ['user_code'], responds: true, cannotFail: true },
	'device.user_asked': { reads: ['user_code'], responds: true, cannotFail: true },
	'device.decided': { reads: ['decision'], responds: true, cannotFail: true },
	'token.device_code_present': { reads: ['device_code'], failed: true },
	'token.device_code_known': { reads: ['device_code'], failed: true },
	'token.device_code_issued_to_client': { reads: ['device_code'], setBy: 'client_id', failed: true },
	'token.device_code_valid': { reads: ['device_code'], causes: ['already_used', 'expired'] },
	'token.device_interval_kept': { reads: ['device_code'], failed: true },
	'token.device_user_decided': {
		reads: ['device_code'],
		causes: ['access_revoked', 'account_deleted', 'denied', 'undecided']
	},
	'token.device_code_exchanged': { responds: true, causes: ['already_used'] }
} as const satisfies CheckRows;
