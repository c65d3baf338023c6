import type { CheckRows } from './check-row.ts';

/** Checks of the revocation endpoint. */
export const revocationChecks = {
	'revoke.method_is_get': { reads: ['method'], failed: true },
	'revoke.not_prefetched': { failed: true },
	'revoke.parameters_present': {
		reads: ['token', 'client_id'],
		causes: ['duplicate_parameter', 'missing_parameter'],
		mistakes: ['missing_client']
	},
	'revoke.client_known': { reads: ['client_id'], failed: true },
	'revoke.token_known': { reads: ['token'], responds: true, failed: true, mistakes: ['access_token', 'revoked_twice'] },
	'revoke.token_issued_to_client': { reads: ['token'], setBy: 'client_id', failed: true, mistakes: ['wrong_client'] },
	'revoke.token_active': { reads: ['token'], failed: true },
	'revoke.access_token_revoked': { reads: ['token'], responds: true, cannotFail: true },
	'revoke.grant_revoked': { responds: true, failed: true }
} as const satisfies CheckRows;
