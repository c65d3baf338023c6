/** The endpoints that a fault can be limited to. */
export const faultEndpoints = ['auth', 'token', 'revoke', 'character', 'ratelimits', 'records'] as const;

/**
 * What a fault does. `unauthorized`, `forbidden` and `rate_limited` are the true responses of the endpoint, `garbage` is a body that
 * cannot be parsed, `truncated` ends the connection in the middle of the body, `drop` sends no byte. `extra_parameters`, `hard_code`,
 * `error_text` and `extra_fields` are unusual responses that a client must handle. Those of an ID token are wrong, and a client must
 * reject them.
 */
export const faultKinds = [
	'delay',
	'status',
	'oauth_error',
	'unauthorized',
	'forbidden',
	'rate_limited',
	'garbage',
	'truncated',
	'drop',
	'extra_parameters',
	'hard_code',
	'error_text',
	'extra_fields',
	'id_token_signature',
	'id_token_audience',
	'id_token_nonce',
	'id_token_expired',
	'id_token_key',
	'id_token_unsigned'
] as const;

/** The kinds of fault that concern ID tokens. */
export const idTokenFaults = faultKinds.filter((kind) => kind.startsWith('id_token_'));

/** The error codes of an `oauth_error`. */
export const faultErrors = [
	'invalid_request',
	'invalid_client',
	'invalid_grant',
	'invalid_token',
	'invalid_scope',
	'unsupported_grant_type',
	'unsupported_response_type',
	'access_denied',
	'login_required',
	'consent_required',
	'interaction_required',
	'server_error',
	'temporarily_unavailable'
] as const;

export type FaultEndpoint = (typeof faultEndpoints)[number];
export type FaultKind = (typeof faultKinds)[number];
export type FaultErrorCode = (typeof faultErrors)[number];

const everywhere = ['delay', 'status', 'oauth_error', 'truncated', 'drop'] as const;
const resource = [...everywhere, 'unauthorized', 'rate_limited', 'garbage'] as const;
/** What a silent authorization request can get (OpenID Connect Core 1.0, section 3.1.2.6). */
const openidErrors = ['login_required', 'consent_required', 'interaction_required'] as const;
const anyError = ['invalid_request', 'server_error', 'temporarily_unavailable'] as const;

type Abilities = { readonly kinds: readonly FaultKind[]; readonly errors: readonly FaultErrorCode[] };

/** The kinds of fault and the error codes that each endpoint can respond with. */
const abilities: Readonly<Record<FaultEndpoint, Abilities>> = {
	auth: {
		kinds: [...everywhere, 'extra_parameters', 'hard_code', 'error_text'],
		errors: [...anyError, 'invalid_scope', 'unsupported_response_type', 'access_denied', ...openidErrors]
	},
	token: {
		kinds: [...everywhere, 'unauthorized', 'garbage', 'extra_fields', ...idTokenFaults],
		errors: [...anyError, 'invalid_client', 'invalid_grant', 'invalid_scope', 'unsupported_grant_type']
	},
	revoke: { kinds: [...everywhere, 'garbage'], errors: [...anyError, 'invalid_client', 'invalid_token'] },
	character: { kinds: [...resource, 'forbidden'], errors: anyError },
	ratelimits: { kinds: resource, errors: anyError },
	records: { kinds: [...resource, 'forbidden'], errors: anyError }
};

const kindsAfterCommit: readonly FaultKind[] = ['delay', 'status', 'garbage', 'truncated', 'drop'];

/** The kinds of fault that an endpoint, or at least one endpoint, can respond with. */
export function faultKindsOf(endpoint: FaultEndpoint | undefined): readonly FaultKind[] {
	return endpoint === undefined ? faultKinds : faultKinds.filter((kind) => abilities[endpoint].kinds.includes(kind));
}

/** The error codes that an endpoint, or at least one endpoint, can respond with. */
export function faultErrorsOf(endpoint: FaultEndpoint | undefined): readonly FaultErrorCode[] {
	return endpoint === undefined ? faultErrors : faultErrors.filter((code) => abilities[endpoint].errors.includes(code));
}

/** Whether a fault of this kind can apply to a request that was handled. */
export function canFollowCommit(kind: FaultKind): boolean {
	return kindsAfterCommit.includes(kind);
}

/**
 * Whether a fault applies to the requests of an endpoint.
 * @param name of a route; false for routes that have no faults
 */
export function appliesTo(
	fault: { readonly endpoint?: FaultEndpoint; readonly kind: FaultKind; readonly error?: FaultErrorCode },
	name: string
): boolean {
	const endpoint = faultEndpoints.find((known) => known === name);
	if (endpoint === undefined || (fault.endpoint ?? endpoint) !== endpoint) return false;
	const { kinds, errors } = abilities[endpoint];
	return kinds.includes(fault.kind) && (fault.error === undefined || errors.includes(fault.error));
}

/** Says that faults are active. */
export function activeFaultsText(count: number): string {
	return count === 1 ? '1 fault is active in this sandbox.' : `${count} faults are active in this sandbox.`;
}
