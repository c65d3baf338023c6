import type { CheckRows } from './check-row.ts';

/** Checks of pushed authorization requests (RFC 9126): their endpoint, and their `request_uri` at the authorization endpoint. */
export const pushedChecks = {
	'par.method_is_post': { reads: ['method'], failed: true },
	'par.request_read': { reads: ['body', 'state'], causes: ['state_too_long', 'too_many_parameters'] },
	'par.dpop_key_matches': { reads: ['DPoP', 'dpop_jkt'], setBy: 'dpop_jkt', failed: true },
	'par.request_stored': { responds: true, cannotFail: true },
	'auth.request_uri_alone': { reads: ['query', 'request_uri'], failed: true, mistakes: ['beside_request_uri'] },
	'auth.request_uri_valid': {
		reads: ['request_uri', 'client_id'],
		causes: ['already_used', 'expired', 'other_client', 'unknown']
	},
	'auth.request_pushed': { reads: ['request_uri'], failed: true }
} as const satisfies CheckRows;
