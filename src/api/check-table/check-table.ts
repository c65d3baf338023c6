import {
	authorizationChecks,
	generalChecks,
	pageChecks,
	resourceChecks,
	revocationChecks,
	tokenChecks
} from './specification.ts';
import type { CheckRows } from './check-row.ts';

/** Checks of simulated providers. The file of the provider decides, and names the source of what it says. */
export const providerChecks = {
	'provider.path_simulated': { reads: ['path'], failed: true },
	'provider.request_read': { reads: ['query', 'body'], cannotFail: true },
	'provider.user_agent_sent': { failed: true },
	'provider.refresh_token_due': { cannotFail: true },
	'provider.token_response': { cannotFail: true },
	'provider.api_response': { cannotFail: true },
	'provider.revocation_response': { cannotFail: true },
	'provider.error_status': { cannotFail: true },
	'provider.error_body': { cannotFail: true },
	'provider.limit_response': { cannotFail: true },
	'provider.limit_fields': { cannotFail: true }
} as const satisfies CheckRows;

/** Checks of what only the dialect of today's standards has: introspection, metadata and registration. */
const metadataChecks = {
	'introspect.method_is_post': { reads: ['method'], failed: true },
	'introspect.token_present': { reads: ['token'], causes: ['missing_parameter', 'missing_secret'] },
	'introspect.token_described': { reads: ['token'], responds: true, cannotFail: true },
	'metadata.method_is_get': { reads: ['method'], failed: true },
	'metadata.returned': { reads: ['path'], responds: true, failed: true },
	'keys.returned': { reads: ['path'], responds: true, failed: true },
	'register.method_is_post': { reads: ['method'], failed: true },
	'register.enabled': { causes: ['registration_off', 'registration_rejected'] },
	'register.metadata_valid': { reads: ['Content-Type'], failed: true },
	'register.redirect_uris_valid': { failed: true },
	'register.within_limits': { reads: ['address'], causes: ['too_many_clients'] },
	'register.client_registered': { responds: true, cannotFail: true }
} as const satisfies CheckRows;

/** Checks of a client that its `client_id`, a URL, describes (OAuth Client ID Metadata Document, draft 01: CIMD). */
const clientDocumentChecks = {
	'client_document.url_valid': {
		reads: ['client_id'],
		causes: ['credentials', 'dot_segment', 'fragment', 'no_path', 'not_https', 'not_normalized', 'too_long']
	},
	'client_document.found': { reads: ['client_id'], causes: ['no_navigation', 'no_network', 'not_hosted'] },
	'client_document.address_allowed': {
		reads: ['client_id'],
		causes: ['busy', 'no_address', 'not_public', 'port_not_allowed']
	},
	'client_document.fetched': {
		reads: ['client_id'],
		causes: [
			'busy',
			'compressed',
			'redirected',
			'too_large',
			'too_slow',
			'unreachable',
			'untrusted_certificate',
			'wrong_content_type',
			'wrong_status'
		]
	},
	'client_document.is_json': { failed: true },
	'client_document.client_id_equal': { reads: ['client_id'], causes: ['different', 'missing'] },
	'client_document.metadata_valid': { causes: ['malformed', 'other_grants', 'secret', 'with_authentication'] },
	'client_document.redirect_uris_valid': { failed: true },
	'client_document.client_stored': { reads: ['address'], causes: ['too_many_clients'] },
	'client_document.returned': { reads: ['path'], responds: true, failed: true }
} as const satisfies CheckRows;

const reads = ['client_assertion'] as const;

/** Checks of a client that signs an assertion in place of a secret (RFC 7523, section 3). */
const clientAssertionChecks = {
	'client_assertion.sent_alone': {
		reads: ['client_assertion', 'client_secret', 'Authorization'],
		causes: ['missing_assertion', 'with_secret', 'wrong_assertion_type']
	},
	'client_assertion.readable': {
		reads,
		causes: ['critical_header', 'malformed_assertion', 'missing_claim', 'other_type', 'unsupported_algorithm']
	},
	'client_assertion.issued_by_client': {
		reads: ['client_assertion', 'client_id'],
		causes: ['client_ids_differ', 'no_keys', 'other_issuer', 'unknown_client'],
		mistakes: ['wrong_sub']
	},
	'client_assertion.signature_valid': { reads, setBy: 'client_id', failed: true, mistakes: ['wrong_key'] },
	'client_assertion.audience_matches': { reads, failed: true, mistakes: ['wrong_aud'] },
	'client_assertion.time_valid': {
		reads,
		causes: ['expired', 'not_yet_valid', 'too_long'],
		mistakes: ['expired_assertion']
	},
	'client_assertion.not_replayed': { reads, failed: true, mistakes: ['replayed_assertion'] }
} as const satisfies CheckRows;

/** Checks of pushed authorization requests (RFC 9126): their endpoint, and their `request_uri` at the authorization endpoint. */
const pushedChecks = {
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

/** Checks of tokens that are bound to a key (RFC 9449). */
const dpopChecks = {
	'auth.dpop_jkt_is_thumbprint': { reads: ['dpop_jkt'], failed: true },
	'dpop.proof_sent': { reads: ['DPoP'], causes: ['missing_proof', 'proofs_sent_twice'], mistakes: ['missing_proof'] },
	'dpop.proof_readable': {
		reads: ['DPoP'],
		causes: [
			'critical_header',
			'malformed_proof',
			'missing_claim',
			'unsupported_algorithm',
			'unusable_key',
			'wrong_type'
		]
	},
	'dpop.signature_valid': { reads: ['DPoP'], failed: true },
	'dpop.method_matches': { reads: ['DPoP', 'method'], failed: true, mistakes: ['wrong_htm'] },
	'dpop.url_matches': { reads: ['DPoP', 'path'], failed: true, mistakes: ['wrong_htu'] },
	'dpop.time_valid': { reads: ['DPoP'], causes: ['in_the_future', 'too_old'], mistakes: ['old_iat'] },
	'dpop.nonce_current': { reads: ['DPoP'], causes: ['missing_nonce', 'old_nonce'], mistakes: ['missing_nonce'] },
	'dpop.token_hash_matches': {
		reads: ['DPoP', 'Authorization'],
		causes: ['missing_ath', 'other_ath'],
		mistakes: ['wrong_ath']
	},
	'dpop.not_replayed': { reads: ['DPoP'], failed: true, mistakes: ['replayed_proof'] },
	'token.dpop_key_matches': { reads: ['DPoP'], setBy: 'dpop_jkt', causes: ['no_proof', 'other_key'] },
	'access_token.scheme_fits': { reads: ['Authorization'], causes: ['bound_token', 'unbound_token'] },
	'access_token.key_proven': { reads: ['DPoP', 'Authorization'], failed: true }
} as const satisfies CheckRows;

/** Checks of the exchange of an access token for another one (RFC 8693). */
const tokenExchangeChecks = {
	'token.subject_token_present': {
		reads: ['subject_token', 'subject_token_type', 'requested_token_type'],
		causes: ['missing_field', 'wrong_token_type']
	},
	'token.subject_token_active': {
		reads: ['subject_token'],
		causes: ['access_revoked', 'account_deleted', 'no_proof', 'no_user', 'other_key', 'unknown_token'],
		mistakes: ['expired_subject']
	},
	'token.actor_known': {
		reads: ['actor_token', 'actor_token_type'],
		causes: ['other_client', 'too_many_actors', 'type_without_actor', 'unknown_token', 'wrong_token_type'],
		mistakes: ['other_client']
	},
	'token.audience_is_uri': { reads: ['audience'], failed: true },
	'token.scope_narrowed': {
		reads: ['scope'],
		setBy: 'subject_token',
		causes: ['malformed_scope', 'not_granted'],
		mistakes: ['more_scope']
	},
	'token.exchanged': { responds: true, cannotFail: true }
} as const satisfies CheckRows;

/** Checks of the device flow (RFC 8628): its endpoint, its page, and the polls at the token endpoint. */
const deviceChecks = {
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

/** Checks of the sign-out of a user by a client, in the dialect of today's standards. */
const logoutChecks = {
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

/** Checks of the server for agents, `/mcp`. */
const agentChecks = {
	'agent.server_runs': { failed: true },
	'agent.origin_allowed': { reads: ['Origin'], failed: true },
	'agent.method_is_post': { reads: ['method'], failed: true },
	'agent.message_valid': { reads: ['Content-Type', 'body'], failed: true },
	'agent.token_for_server': { reads: ['Authorization'], setBy: 'resource', failed: true },
	'agent.scope_granted': { reads: ['Authorization', 'body'], causes: ['endless_403', 'scope_missing', 'step_up'] },
	'agent.message_handled': { reads: ['body'], responds: true, cannotFail: true }
} as const satisfies CheckRows;

/** The checks by the files of `src/content/checks`, where their texts are. */
export const checkFiles = {
	agent: agentChecks,
	authorization: authorizationChecks,
	'client-assertion': clientAssertionChecks,
	'client-document': clientDocumentChecks,
	device: deviceChecks,
	dpop: dpopChecks,
	general: generalChecks,
	logout: logoutChecks,
	metadata: metadataChecks,
	pages: pageChecks,
	provider: providerChecks,
	pushed: pushedChecks,
	resource: resourceChecks,
	revocation: revocationChecks,
	'token-exchange': tokenExchangeChecks,
	token: tokenChecks
} as const;

/** Every check of the service by its id, `<endpoint or area>.<snake_case>`. Ids and causes are stable, programs refer to them. */
export const checkRows = {
	...agentChecks,
	...authorizationChecks,
	...clientAssertionChecks,
	...clientDocumentChecks,
	...deviceChecks,
	...dpopChecks,
	...generalChecks,
	...logoutChecks,
	...metadataChecks,
	...pageChecks,
	...providerChecks,
	...pushedChecks,
	...resourceChecks,
	...revocationChecks,
	...tokenExchangeChecks,
	...tokenChecks
} as const;

/** The causes that several checks have, each with one meaning. Their texts are in `shared.yaml`. */
export const sharedCauses = [
	'body_too_large',
	'internal_error',
	'other_site',
	'sandbox_full',
	'store_unavailable',
	'too_many_attempts'
] as const;
