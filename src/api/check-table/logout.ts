import type { CheckRows } from './check-row.ts';

/** Checks of the sign-out of a user by a client, in the dialect of today's standards. */
export const logoutChecks = {
	'logout.method_allowed': { reads: ['method'], failed: true },
	'logout.form_sent_on': { responds: true, causes: ['broken_field', 'not_a_form'] },
	'logout.parameters_valid': { failed: true },
	'logout.client_known': { reads: ['client_id', 'id_token_hint'], causes: ['client_ids_differ', 'unknown_client'] },
	'logout.redirect_uri_registered': {
		reads: ['post_logout_redirect_uri'],
		causes: ['missing_client', 'not_registered']
	},
	'logout.confirmed': { reads: ['id_token_hint', 'Cookie', 'csrf_token'], responds: true, causes: ['other_session'] },
	'logout.signed_out': { responds: true, cannotFail: true }
} as const satisfies CheckRows;
