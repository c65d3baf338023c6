import type { CheckRows } from './check-row.ts';

/** Checks of the sign-out of a user by a client, in the dialect of today's standards. */
export const logoutChecks = {
	'logout.method_allowed': {
		title: 'The method is GET or POST',
		section: 'RP-Initiated Logout §2',
		reads: ['method'],
		failed: 'wrong method'
	},
	'logout.form_sent_on': {
		title: 'The browser sends the request again as GET, with its session',
		section: 'RP-Initiated Logout §2',
		responds: 'Request sent on as GET',
		causes: { broken_field: 'malformed form field', not_a_form: 'body is not a form' }
	},
	'logout.parameters_valid': {
		title: 'No parameter was sent twice or is malformed',
		section: 'RP-Initiated Logout §2',
		failed: 'parameter sent twice or malformed'
	},
	'logout.client_known': {
		title: 'client_id and id_token_hint, if sent, name one client',
		section: 'RP-Initiated Logout §2',
		reads: ['client_id', 'id_token_hint'],
		causes: { client_ids_differ: 'two different client_ids', unknown_client: 'unknown client_id' }
	},
	'logout.redirect_uri_registered': {
		title: 'The client registered post_logout_redirect_uri',
		section: 'RP-Initiated Logout §3',
		reads: ['post_logout_redirect_uri'],
		causes: {
			missing_client: 'post_logout_redirect_uri without a client',
			not_registered: 'post_logout_redirect_uri not registered'
		}
	},
	'logout.confirmed': {
		title: 'id_token_hint names the user who is signed in, or the user confirms',
		section: 'RP-Initiated Logout §2',
		reads: ['id_token_hint', 'Cookie', 'csrf_token'],
		responds: 'Confirmation page shown',
		causes: { other_session: 'form of another session' }
	},
	'logout.signed_out': {
		title: 'The user is signed out',
		section: 'RP-Initiated Logout §2',
		responds: 'Signed out',
		cannotFail: true
	}
} as const satisfies CheckRows;
