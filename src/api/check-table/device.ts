import type { CheckRows } from './check-row.ts';

/** Checks of the device flow (RFC 8628): its endpoint, its page, and the polls at the token endpoint. */
export const deviceChecks = {
	'device.method_is_post': {
		title: 'The method is POST',
		section: 'RFC 8628 §3.1',
		reads: ['method'],
		failed: 'wrong method'
	},
	'device.scope_known': {
		title: 'Every requested permission exists',
		section: 'RFC 8628 §3.1',
		reads: ['scope'],
		causes: { malformed_scope: 'malformed scope', missing_parameter: 'scope missing', unknown_scope: 'unknown scope' }
	},
	'device.codes_issued': {
		title: 'A device code and a user code are issued',
		section: 'RFC 8628 §3.2',
		responds: 'Device codes issued',
		cannotFail: true
	},
	'device.page_method_allowed': {
		title: 'The method is GET or POST',
		section: 'RFC 8628 §3.3',
		reads: ['method'],
		failed: 'wrong method'
	},
	'device.user_signed_in': {
		title: 'A user is signed in',
		section: 'RFC 8628 §3.3',
		reads: ['Cookie', 'username', 'password'],
		responds: '{page} shown',
		cannotFail: true
	},
	'device.user_code_known': {
		title: 'The user code is that of a device that waits',
		section: 'RFC 8628 §3.3',
		reads: ['user_code'],
		responds: 'Code form shown',
		cannotFail: true
	},
	'device.user_asked': {
		title: 'The user is asked, and sees the code',
		section: 'RFC 8628 §3.3.1',
		reads: ['user_code'],
		responds: 'Consent page shown',
		cannotFail: true
	},
	'device.decided': {
		title: 'The decision of the user is recorded',
		section: 'RFC 8628 §3.3',
		reads: ['decision'],
		responds: 'Decision recorded',
		cannotFail: true
	},
	'token.device_code_present': {
		title: 'The device code was sent',
		section: 'RFC 8628 §3.4',
		reads: ['device_code'],
		failed: 'device_code missing'
	},
	'token.device_code_known': {
		title: 'The device code was issued by this service',
		section: 'RFC 8628 §3.4',
		reads: ['device_code'],
		failed: 'unknown device_code'
	},
	'token.device_code_issued_to_client': {
		title: 'The device code was issued to this client',
		section: 'RFC 8628 §3.4',
		reads: ['device_code'],
		setBy: 'client_id',
		failed: 'device_code of another application'
	},
	'token.device_code_valid': {
		title: 'The device code has not expired, and led to no token yet',
		section: 'RFC 8628 §3.5',
		reads: ['device_code'],
		causes: { already_used: 'device_code used twice', expired: 'device_code expired' }
	},
	'token.device_interval_kept': {
		title: 'The interval since the last poll has passed',
		section: 'RFC 8628 §3.5',
		reads: ['device_code'],
		failed: 'polled too fast'
	},
	'token.device_user_decided': {
		title: 'The user has allowed access',
		section: 'RFC 8628 §3.5',
		reads: ['device_code'],
		causes: {
			access_revoked: 'access revoked',
			account_deleted: 'account deleted',
			denied: 'user denied access',
			undecided: 'user has not decided'
		}
	},
	'token.device_code_exchanged': {
		title: 'The device code is exchanged for tokens',
		section: 'RFC 8628 §3.5',
		responds: 'Tokens issued',
		causes: { already_used: 'device_code used twice' }
	}
} as const satisfies CheckRows;
