import type { CheckRows } from './check-row.ts';

/** Checks of pushed authorization requests (RFC 9126): their endpoint, and their `request_uri` at the authorization endpoint. */
export const pushedChecks = {
	'par.method_is_post': {
		title: 'The method is POST',
		section: 'RFC 9126 §2.1',
		reads: ['method'],
		failed: 'wrong method'
	},
	'par.request_read': {
		title: 'The form is an authorization request',
		section: 'RFC 9126 §2.1',
		reads: ['body', 'state'],
		causes: { state_too_long: 'state too long', too_many_parameters: 'too many parameters' }
	},
	'par.dpop_key_matches': {
		title: 'dpop_jkt is the key of the DPoP proof',
		section: 'RFC 9449 §10.1',
		reads: ['DPoP', 'dpop_jkt'],
		setBy: 'dpop_jkt',
		failed: 'DPoP proof of another key than dpop_jkt'
	},
	'par.request_stored': {
		title: 'The request is stored, and gets a request_uri',
		section: 'RFC 9126 §2.2',
		responds: 'Request stored',
		cannotFail: true
	},
	'auth.request_uri_alone': {
		title: 'Only client_id is beside request_uri',
		section: 'RFC 9126 §4',
		reads: ['query', 'request_uri'],
		failed: 'parameters beside request_uri'
	},
	'auth.request_uri_valid': {
		title: 'The client pushed this request, and has not used it yet',
		section: 'RFC 9126 §2.2',
		reads: ['request_uri', 'client_id'],
		causes: {
			already_used: 'request_uri used twice',
			expired: 'request_uri expired',
			other_client: 'request_uri of another application',
			unknown: 'unknown request_uri'
		}
	},
	'auth.request_pushed': {
		title: 'The request was pushed',
		section: 'RFC 9126 §5',
		reads: ['request_uri'],
		failed: 'request not pushed'
	}
} as const satisfies CheckRows;
