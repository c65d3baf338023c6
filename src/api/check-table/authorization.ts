import type { CheckRows } from './check-row.ts';

/** Checks of the authorization endpoint, its pages and the account page. */
export const authorizationChecks = {
	'auth.method_is_get': {
		title: 'The method is GET',
		section: '4',
		standard: { section: 'RFC 6749 §3.1' },
		reads: ['method'],
		failed: 'wrong method'
	},
	'auth.query_is_valid': {
		title: 'The query can be read',
		section: '2.1',
		standard: { section: 'RFC 6749 §4.1.1' },
		reads: ['state'],
		causes: { state_too_long: 'state is too long', too_many_parameters: 'too many parameters' }
	},
	'auth.form_is_valid': {
		title: 'The form can be read',
		section: 'OIDC Core §3.1.2.1',
		causes: { broken_field: 'too many form fields', not_a_form: 'body is not a form' }
	},
	'auth.form_sent_on': {
		title: 'The browser sends the request again as GET, with its session',
		section: 'OIDC Core §3.1.2.1',
		reads: ['method'],
		responds: 'Request sent on as GET',
		cannotFail: true
	},
	'auth.request_object_absent': {
		title: 'All parameters are in the query, and none in an object',
		section: 'RFC 9101 §7',
		reads: ['request', 'request_uri', 'registration'],
		causes: {
			registration: 'registration parameter',
			request_object: 'request object',
			request_uri: 'request URI'
		}
	},
	'auth.client_known': {
		title: 'client_id belongs to an application',
		section: '2.1',
		standard: { section: 'RFC 6749 §4.1.1' },
		reads: ['client_id'],
		causes: {
			duplicate_parameter: 'client_id sent twice',
			empty_parameter: 'client_id is empty',
			missing_parameter: 'client_id missing',
			unknown_client: 'unknown client_id'
		}
	},
	'auth.redirect_uri_registered': {
		title: 'The application registered redirect_uri',
		section: '2.1',
		standard: { section: 'RFC 9700 §2.1' },
		reads: ['redirect_uri'],
		causes: {
			duplicate_parameter: 'redirect_uri sent twice',
			empty_parameter: 'redirect_uri is empty',
			missing_parameter: 'redirect_uri missing',
			not_registered: 'redirect_uri not registered',
			out_of_band: 'out-of-band redirect_uri'
		}
	},
	'auth.parameters_are_valid': {
		title: 'No parameter was sent twice or is malformed',
		section: 'RFC 6749 §3.1',
		causes: { duplicate_parameter: 'parameter sent twice', malformed_parameter: 'malformed parameter' }
	},
	'auth.session_loaded': {
		title: 'The session of the browser is loaded',
		section: '5.2',
		standard: { section: 'RFC 6749 §3.1' },
		reads: ['Cookie'],
		cannotFail: true
	},
	'auth.consent_required': {
		title: 'Consent required: new permissions',
		section: '3.1',
		standard: { section: 'RFC 6749 §4.1.1' },
		reads: ['scope'],
		responds: 'Code issued',
		cannotFail: true
	},
	'auth.user_prompted': {
		title: 'Sign-in or consent page shown',
		section: '5.2',
		standard: { section: 'RFC 6749 §4.1.1' },
		responds: '{page} shown',
		failed: 'page not shown'
	},
	'auth.response_type_is_code': {
		title: 'response_type is code',
		section: '2.1',
		standard: { section: 'RFC 6749 §3.1.1' },
		reads: ['response_type'],
		causes: { missing_parameter: 'response_type missing', unsupported_value: 'unknown response_type' }
	},
	'auth.response_mode_supported': {
		title: 'response_mode is query or form_post',
		section: 'Form Post Response Mode §2',
		reads: ['response_mode'],
		causes: { unsupported_value: 'unsupported response_mode' }
	},
	'auth.scope_known': {
		title: 'Every requested permission exists',
		section: '2.1',
		standard: { section: 'RFC 6749 §3.3' },
		reads: ['scope'],
		causes: { malformed_scope: 'malformed scope', missing_parameter: 'scope missing', unknown_scope: 'unknown scope' }
	},
	'auth.resource_is_uri': {
		title: 'Each resource is an absolute URI',
		section: 'RFC 8707 §2',
		reads: ['resource'],
		failed: 'resource is no absolute URI'
	},
	'auth.access_type_is_valid': {
		title: 'access_type is online or offline',
		section: '2.1',
		standard: { section: 'RFC 6749 §3.1' },
		reads: ['access_type'],
		failed: 'unknown access_type'
	},
	'auth.code_challenge_is_s256': {
		title: 'code_challenge, if sent, uses S256',
		section: 'RFC 7636 §4.3',
		standard: { section: 'RFC 9700 §2.1.1', title: 'code_challenge was sent and uses S256' },
		reads: ['code_challenge', 'code_challenge_method'],
		causes: {
			malformed_challenge: 'malformed code_challenge',
			missing_challenge: 'code_challenge missing',
			not_s256: 'code_challenge_method is not S256'
		}
	},
	'auth.openid_parameters_valid': {
		title: 'nonce, prompt, max_age and id_token_hint are valid',
		section: 'OIDC Core §3.1.2.1',
		reads: ['scope', 'nonce', 'prompt', 'max_age', 'id_token_hint', 'login_hint'],
		causes: {
			malformed_max_age: 'max_age is no number of seconds',
			nonce_too_long: 'nonce is too long',
			none_with_others: 'prompt=none with another value',
			unknown_id_token: 'unknown id_token_hint',
			unknown_prompt: 'unknown prompt'
		}
	},
	'auth.no_page_needed': {
		title: 'A silent request needs no page',
		section: 'OIDC Core §3.1.2.6',
		reads: ['prompt', 'max_age', 'Cookie'],
		causes: {
			login_required: 'user must sign in',
			consent_required: 'user must consent',
			installed_application: 'user always decides',
			no_navigation: 'no navigation'
		}
	},
	'auth.request_is_new': {
		title: 'The request is new, or continues a pending authorization of this browser',
		section: '5.2',
		standard: { section: 'RFC 6749 §4.1.1' },
		reads: ['interaction'],
		responds: '{page} shown',
		causes: {
			completed: 'authorization already completed',
			other_browser: 'authorization of another browser',
			redirect_uri_removed: 'redirect_uri no longer registered',
			unknown_interaction: 'unknown authorization'
		}
	},
	'interaction.method_is_post': {
		title: 'The method is POST',
		section: '4',
		standard: { section: 'RFC 6749 §3.1' },
		reads: ['method'],
		failed: 'wrong method'
	},
	'interaction.same_origin': {
		title: 'The form was sent from a page of this service',
		section: 'RFC 6749 §10.12',
		reads: ['Origin'],
		failed: 'form from another site'
	},
	'interaction.form_is_valid': {
		title: 'The form can be read',
		section: '5.2',
		standard: { section: 'RFC 6749 §3.1' },
		causes: { broken_field: 'malformed form field', not_a_form: 'body is not a form' }
	},
	'interaction.pending_in_this_browser': {
		title: 'The form belongs to a pending authorization of this browser',
		section: 'RFC 6749 §10.12',
		reads: ['interaction'],
		causes: {
			completed: 'authorization already completed',
			other_browser: 'authorization of another browser',
			redirect_uri_removed: 'redirect_uri no longer registered',
			unknown_interaction: 'unknown authorization'
		}
	},
	'interaction.password_is_correct': {
		title: 'User name and password, if sent, are correct',
		section: '5.2',
		standard: { section: 'RFC 6749 §3.1' },
		reads: ['username', 'password'],
		responds: 'Wrong user name or password',
		failed: 'wrong user name or password'
	},
	'interaction.session_started': {
		title: 'Signed in',
		section: '5.2',
		standard: { section: 'RFC 6749 §3.1' },
		reads: ['username'],
		responds: 'Signed in',
		cannotFail: true
	},
	'interaction.decided_by_prompted_user': {
		title: 'The decision is that of the user who was asked',
		section: '3.1',
		standard: { section: 'RFC 6749 §4.1.1' },
		reads: ['decision'],
		responds: '{page} shown',
		causes: { completed: 'authorization already completed', other_user: 'another user signed in' }
	},
	'consent.not_declined_by_test_account': {
		title: 'The user is not the test account that always declines',
		section: '7',
		standard: { section: 'RFC 6749 §4.1.2.1' },
		reads: ['username'],
		responds: 'Access denied by test account',
		causes: { completed: 'authorization already completed' }
	},
	'account.method_allowed': {
		title: 'The method is GET or POST',
		section: '5.6',
		standard: { section: 'RFC 9110 §15.5.6' },
		reads: ['method'],
		failed: 'wrong method'
	},
	'account.shown': {
		title: 'The account settings are shown',
		section: '5.6',
		standard: 'same',
		responds: 'Account page shown',
		cannotFail: true
	},
	'account.changed': {
		title: 'The requested change is made',
		section: '3.1',
		standard: 'same',
		reads: ['action'],
		responds: 'Account changed',
		causes: { no_access: 'application has no access', unknown_action: 'unknown action' }
	}
} as const satisfies CheckRows;
