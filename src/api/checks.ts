/** What a request can contain that a check reads: parameters of the query or the form, headers, and parts of the request line. */
export const readableParts = [
	'method',
	'path',
	'name',
	'address',
	'Authorization',
	'Content-Type',
	'Cookie',
	'Origin',
	'X-Tollgate-Address',
	'X-Tollgate-Key',
	'access_token',
	'access_type',
	'action',
	'client_id',
	'client_secret',
	'code',
	'code_challenge',
	'code_challenge_method',
	'code_verifier',
	'csrf_token',
	'decision',
	'grant_type',
	'interaction',
	'password',
	'redirect_uri',
	'refresh_token',
	'response_type',
	'scope',
	'state',
	'token',
	'username'
] as const;

export type ReadablePart = (typeof readableParts)[number];

/** A named step of a request, which passes, responds or fails. A check that can fail says so for each of its causes. */
type CheckRow = {
	/** What holds if the check passed, for readers of a trace. */
	readonly title: string;
	/** The section that requires the check: "2.3" or "RFC 6749 §5.2". Empty if none does. */
	readonly section: string;
	/** The parts of the request that it reads. Absent: it reads the request as a whole, or none of it. */
	readonly reads?: readonly ReadablePart[];
	/** The outcome of a request that the check responds to. `{resource}` is what the world calls its resource, `{page}` the page that was sent. */
	readonly responds?: string;
} & (
	| {
			/** It rejects no request. */
			readonly cannotFail: true;
	  }
	| {
			/** The outcome of a request that it rejects, as in "invalid_grant · unknown code". */
			readonly failed: string;
	  }
	| {
			/** Why it failed, for checks that fail for several causes, with the outcome of each. */
			readonly causes: Readonly<Record<string, string>>;
	  }
);

/** Every check of the service by its id, `<endpoint or area>.<snake_case>`. Ids and causes are stable, programs refer to them. */
export const checks = {
	'address.not_blacklisted': {
		title: 'The address is not blacklisted',
		section: '3.3',
		reads: ['address'],
		responds: 'No response: address is blacklisted',
		failed: 'address is blacklisted'
	},
	'address.header_is_valid': {
		title: 'The address header names a virtual address',
		section: '8.2',
		reads: ['X-Tollgate-Address'],
		failed: 'malformed address header'
	},
	'cors.origin_compared': {
		title: 'The origin of a script is compared with registered redirect URIs',
		section: 'RFC 9700 §2.6',
		reads: ['Origin'],
		responds: 'Preflight answered',
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
	'rate_limit.not_exceeded': {
		title: 'The request is within the rate limit',
		section: '8',
		reads: ['address'],
		causes: { now_blacklisted: 'rate limit exceeded, address now blacklisted', over_limit: 'rate limit exceeded' }
	},
	'auth.method_is_get': {
		title: 'The method is GET',
		section: '4',
		reads: ['method'],
		failed: 'wrong method'
	},
	'auth.query_is_valid': {
		title: 'The query can be read',
		section: '2.1',
		reads: ['state'],
		causes: { state_too_long: 'state is too long', too_many_parameters: 'too many parameters' }
	},
	'auth.client_known': {
		title: 'client_id belongs to an application',
		section: '2.1',
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
		reads: ['redirect_uri'],
		causes: {
			duplicate_parameter: 'redirect_uri sent twice',
			empty_parameter: 'redirect_uri is empty',
			missing_parameter: 'redirect_uri missing',
			not_registered: 'redirect_uri not registered'
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
		reads: ['Cookie'],
		cannotFail: true
	},
	'auth.consent_required': {
		title: 'Consent required: new permissions',
		section: '3.1',
		reads: ['scope'],
		responds: 'Code issued',
		cannotFail: true
	},
	'auth.user_prompted': {
		title: 'Sign-in or consent page shown',
		section: '5.2',
		responds: '{page} shown',
		failed: 'page not shown'
	},
	'auth.response_type_is_code': {
		title: 'response_type is code',
		section: '2.1',
		reads: ['response_type'],
		causes: { missing_parameter: 'response_type missing', unsupported_value: 'unknown response_type' }
	},
	'auth.scope_known': {
		title: 'Every requested permission exists',
		section: '2.1',
		reads: ['scope'],
		causes: { malformed_scope: 'malformed scope', missing_parameter: 'scope missing', unknown_scope: 'unknown scope' }
	},
	'auth.access_type_is_valid': {
		title: 'access_type is online or offline',
		section: '2.1',
		reads: ['access_type'],
		failed: 'unknown access_type'
	},
	'auth.code_challenge_is_s256': {
		title: 'code_challenge, if sent, uses S256',
		section: 'RFC 7636 §4.3',
		reads: ['code_challenge', 'code_challenge_method'],
		causes: {
			malformed_challenge: 'malformed code_challenge',
			missing_challenge: 'code_challenge missing',
			not_s256: 'code_challenge_method is not S256'
		}
	},
	'auth.request_is_new': {
		title: 'The request is new, or continues a pending authorization of this browser',
		section: '5.2',
		reads: ['interaction'],
		responds: '{page} shown',
		causes: {
			completed: 'authorization already completed',
			other_browser: 'authorization of another browser',
			redirect_uri_removed: 'redirect_uri no longer registered',
			unknown_interaction: 'unknown authorization'
		}
	},
	'session.loaded': {
		title: 'The session of the browser is loaded',
		section: '5.2',
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
	'interaction.method_is_post': {
		title: 'The method is POST',
		section: '4',
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
		causes: { broken_field: 'malformed form field', not_a_form: 'body is not a form' }
	},
	'interaction.pending_in_this_browser': {
		title: 'The form belongs to a pending authorization of this browser',
		section: 'RFC 6749 §10.12',
		reads: ['interaction'],
		causes: {
			other_browser: 'authorization of another browser',
			redirect_uri_removed: 'redirect_uri no longer registered',
			unknown_interaction: 'unknown authorization'
		}
	},
	'interaction.password_is_correct': {
		title: 'User name and password, if sent, are correct',
		section: '5.2',
		reads: ['username', 'password'],
		responds: 'Wrong user name or password',
		failed: 'wrong user name or password'
	},
	'interaction.session_started': {
		title: 'Signed in',
		section: '5.2',
		reads: ['username'],
		responds: 'Signed in',
		cannotFail: true
	},
	'interaction.decided_by_prompted_user': {
		title: 'The decision is that of the user who was asked',
		section: '3.1',
		reads: ['decision'],
		responds: '{page} shown',
		causes: { completed: 'authorization already completed', other_user: 'another user signed in' }
	},
	'consent.not_declined_by_test_account': {
		title: 'The user is not the test account that always declines',
		section: '7',
		reads: ['username'],
		responds: 'Access denied by test account',
		causes: { completed: 'authorization already completed' }
	},
	'account.method_allowed': {
		title: 'The method is GET or POST',
		section: '5.6',
		reads: ['method'],
		failed: 'wrong method'
	},
	'account.shown': {
		title: 'The account settings are shown',
		section: '5.6',
		responds: 'Account page shown',
		cannotFail: true
	},
	'account.changed': {
		title: 'The requested change is made',
		section: '3.1',
		reads: ['action'],
		responds: 'Account changed',
		causes: { no_access: 'application has no access', unknown_action: 'unknown action' }
	},
	'token.method_is_post': {
		title: 'The method is POST',
		section: '4',
		reads: ['method'],
		failed: 'wrong method'
	},
	'token.form_is_valid': {
		title: 'The body is a form, and no field was sent twice',
		section: '2.3',
		reads: ['Content-Type'],
		causes: {
			content_encoding: 'compressed body',
			duplicate_field: 'field sent twice',
			malformed_field: 'malformed field',
			not_utf8: 'body is not UTF-8',
			too_many_fields: 'too many fields',
			wrong_charset: 'wrong charset',
			wrong_content_type: 'body is not a form'
		}
	},
	'token.client_authenticated': {
		title: 'client_id and client_secret belong to an application',
		section: '2.3',
		reads: ['client_id', 'client_secret', 'Authorization'],
		causes: {
			client_ids_differ: 'two different client_ids',
			credentials_in_header: 'credentials in the header',
			credentials_sent_twice: 'credentials sent twice',
			missing_client_id: 'client_id missing',
			missing_secret: 'client_secret missing',
			unknown_client: 'unknown client_id',
			wrong_secret: 'wrong client_secret'
		}
	},
	'token.grant_type_supported': {
		title: 'grant_type is supported',
		section: '2.3',
		reads: ['grant_type'],
		causes: {
			missing_field: 'grant_type missing',
			unknown_grant_type: 'unknown grant_type',
			wrong_letter_case: 'grant_type in wrong letter case'
		}
	},
	'token.code_present': {
		title: 'The code was sent',
		section: '2.3',
		reads: ['code'],
		failed: 'code missing'
	},
	'token.code_known': {
		title: 'The code was issued by this service',
		section: '3.1',
		reads: ['code'],
		failed: 'unknown code'
	},
	'token.code_issued_to_client': {
		title: 'The code was issued to this client',
		section: 'RFC 6749 §4.1.3',
		reads: ['code', 'client_id'],
		failed: 'code of another application'
	},
	'token.code_not_used': {
		title: 'The code was not used before',
		section: 'RFC 6749 §4.1.2',
		reads: ['code'],
		causes: { already_used: 'code used twice', earlier_exchange_failed: 'code spent by a failed exchange' }
	},
	'token.code_not_expired': {
		title: 'The code has not expired',
		section: '3.1',
		reads: ['code'],
		failed: 'code expired'
	},
	'token.redirect_uri_matches': {
		title: 'redirect_uri is that of the authorization request',
		section: 'RFC 6749 §4.1.3',
		reads: ['redirect_uri'],
		causes: { different: 'different redirect_uri', missing_field: 'redirect_uri missing' }
	},
	'token.redirect_uri_registered': {
		title: 'redirect_uri is still registered',
		section: '2.1',
		reads: ['redirect_uri'],
		failed: 'redirect_uri no longer registered'
	},
	'token.code_verifier_matches': {
		title: 'code_verifier matches the code_challenge',
		section: 'RFC 7636 §4.6',
		reads: ['code_verifier'],
		causes: {
			missing_verifier: 'code_verifier missing',
			unexpected_verifier: 'unexpected code_verifier',
			verifier_is_challenge: 'code_challenge sent as code_verifier',
			verifier_too_short: 'code_verifier too short',
			wrong_verifier: 'wrong code_verifier'
		}
	},
	'token.grant_active': {
		title: 'The user has not revoked access',
		section: '3.1',
		reads: ['code'],
		causes: { access_revoked: 'access revoked', account_deleted: 'account deleted' }
	},
	'token.code_exchanged': {
		title: 'The code is consumed, and tokens are issued',
		section: '3.1',
		responds: 'Tokens issued',
		causes: {
			access_revoked: 'access revoked',
			account_deleted: 'account deleted',
			already_used: 'code used twice',
			earlier_exchange_failed: 'code spent by a failed exchange',
			unknown: 'code deleted'
		}
	},
	'token.refresh_token_present': {
		title: 'The refresh token was sent',
		section: '4',
		reads: ['refresh_token'],
		failed: 'refresh_token missing'
	},
	'token.refresh_token_known': {
		title: 'The refresh token was issued by this service and not revoked',
		section: '3.1',
		reads: ['refresh_token'],
		failed: 'unknown or revoked refresh token'
	},
	'token.refresh_token_issued_to_client': {
		title: 'The refresh token was issued to this client',
		section: 'RFC 6749 §6',
		reads: ['refresh_token', 'client_id'],
		failed: 'refresh token of another application'
	},
	'token.refresh_token_active': {
		title: 'The user has not revoked access',
		section: '3.1',
		reads: ['refresh_token'],
		causes: { access_revoked: 'access revoked', account_deleted: 'account deleted' }
	},
	'token.scope_not_widened': {
		title: 'The requested scope is part of what was granted',
		section: 'RFC 6749 §6',
		reads: ['scope'],
		causes: { malformed_scope: 'malformed scope', not_granted: 'scope was not granted' }
	},
	'token.refreshed': {
		title: 'An access token is issued',
		section: '3.1',
		responds: 'Access token issued',
		cannotFail: true
	},
	'revoke.method_is_get': {
		title: 'The method is GET',
		section: '4',
		reads: ['method'],
		failed: 'wrong method'
	},
	'revoke.not_prefetched': {
		title: 'The request is no prefetch and no link preview',
		section: 'RFC 9110 §9.2.1',
		failed: 'prefetch or link preview'
	},
	'revoke.parameters_present': {
		title: 'token and client_id were sent once each',
		section: '4',
		reads: ['token', 'client_id'],
		causes: { duplicate_parameter: 'parameter sent twice', missing_parameter: 'parameter missing' }
	},
	'revoke.client_known': {
		title: 'client_id belongs to an application',
		section: '4',
		reads: ['client_id'],
		failed: 'unknown client_id'
	},
	'revoke.token_known': {
		title: 'The token is a refresh token of this service',
		section: '3.1',
		reads: ['token'],
		failed: 'not a refresh token'
	},
	'revoke.token_issued_to_client': {
		title: 'The token was issued to this client',
		section: 'RFC 7009 §2.1',
		reads: ['token', 'client_id'],
		failed: 'refresh token of another application'
	},
	'revoke.token_active': {
		title: 'The token was not revoked before',
		section: '3.1',
		reads: ['token'],
		failed: 'token already revoked'
	},
	'revoke.grant_revoked': {
		title: 'The grant and all its tokens are revoked',
		section: '3.1',
		responds: 'Access revoked',
		failed: 'token already revoked'
	},
	'access_token.sent_once': {
		title: 'One access token was sent, in the query or in the header',
		section: '5.3',
		reads: ['access_token', 'Authorization'],
		causes: {
			bearer_scheme: 'Bearer instead of OAuth',
			malformed_token: 'malformed access token',
			missing_token: 'access token missing',
			other_scheme: 'unknown Authorization scheme',
			sent_twice: 'access token sent twice'
		}
	},
	'access_token.known': {
		title: 'The access token was issued by this service and has not expired',
		section: '5.4',
		reads: ['access_token', 'Authorization'],
		failed: 'unknown or expired access token'
	},
	'access_token.not_revoked': {
		title: 'The access token was not revoked',
		section: '3.1',
		reads: ['access_token', 'Authorization'],
		failed: 'access token revoked'
	},
	'access_token.owners_exist': {
		title: 'The application and the account of the token exist',
		section: '5.3',
		reads: ['access_token', 'Authorization'],
		causes: { account_deleted: 'account deleted', application_deleted: 'application deleted' }
	},
	'character.method_is_get': {
		title: 'The method is GET',
		section: '4',
		reads: ['method'],
		failed: 'wrong method'
	},
	'character.scope_granted': {
		title: 'The token has a permission for this resource',
		section: '5.6',
		reads: ['access_token', 'Authorization'],
		failed: 'permission missing'
	},
	'character.name_valid': {
		title: 'The path ends with one name',
		section: '4',
		reads: ['name'],
		failed: 'malformed name'
	},
	'character.not_a_test_card': {
		title: 'The character is not a test card',
		section: '',
		reads: ['name'],
		responds: 'No response: test card',
		causes: { simulated_error: 'error of a test card', too_many_delayed: 'too many slow requests' }
	},
	'character.exists': {
		title: 'The character exists',
		section: '4',
		reads: ['name'],
		responds: '{resource} returned',
		failed: 'no such {resource}'
	},
	'ratelimits.method_is_get': {
		title: 'The method is GET',
		section: '4',
		reads: ['method'],
		failed: 'wrong method'
	},
	'ratelimits.returned': {
		title: 'The rate limit records of the address are returned',
		section: '2.5',
		reads: ['address'],
		responds: 'Rate limits returned',
		cannotFail: true
	},
	'ratelimiting.method_is_get': {
		title: 'The method is GET',
		section: '8.5',
		reads: ['method'],
		failed: 'wrong method'
	},
	'ratelimiting.not_polled_too_often': {
		title: 'The address polls at most 60 times a minute',
		section: '8.5',
		reads: ['address'],
		failed: 'status requested too often'
	},
	'ratelimiting.returned': {
		title: 'The rate limiting status of the address is returned',
		section: '8.5',
		reads: ['address'],
		responds: 'Rate limit status returned',
		cannotFail: true
	},
	'service.path_known': {
		title: 'The path exists',
		section: '4',
		reads: ['path'],
		failed: 'no such path'
	},
	'sandbox.exists': {
		title: 'The sandbox exists',
		section: '',
		reads: ['path'],
		failed: 'no such sandbox'
	},
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
} as const satisfies Readonly<Record<string, CheckRow>>;

/** The causes that several checks have, each with one meaning, and their outcomes. */
export const sharedCauses = {
	body_too_large: 'body is too large',
	internal_error: 'internal error',
	other_site: 'request from another site',
	sandbox_full: 'sandbox is full',
	store_unavailable: 'storage is unavailable',
	too_many_attempts: 'too many attempts'
} as const;

type Checks = typeof checks;

export type CheckId = keyof Checks;

/** Checks that can respond to a request, and so have an outcome for it. */
export type RespondingCheckId = {
	[Id in CheckId]: Checks[Id] extends { readonly responds: string } ? Id : never;
}[CheckId];

/** Why a check failed, by the id of the check. `never` for a check with one cause. */
export type CauseOf<Id extends CheckId> = Checks[Id] extends { readonly causes: infer Causes }
	? Extract<keyof Causes, string>
	: never;

export type SharedCause = keyof typeof sharedCauses;

/** Why a check failed: stable, for programs and for explanations. */
export type Cause = { [Id in CheckId]: CauseOf<Id> }[CheckId] | SharedCause;
