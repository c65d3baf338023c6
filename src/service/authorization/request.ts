import { check, inSandboxes, speaksStandard, whenStandard } from '../core/runner.ts';
import { base64url } from '../core/encoding.ts';
import { findAccess } from '../access/control-access.ts';
import { ProtocolError, type ErrorCode, type ErrorDetails } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import { hasNonceInstead, openidParameters } from './openid-request.ts';
import { isOutOfBand, matchesRegistered, originOf } from '../sandbox/redirect-uris.ts';
import { resourceCheck } from '../token/resource-indicators.ts';
import type { AuthorizationContext } from './consent.ts';
import { requestedScopes, splitScopes } from './requested-scopes.ts';

/** The longest accepted state, in bytes. */
const maxState = 4096;
const parameters = [
	'response_type',
	'client_id',
	'redirect_uri',
	'scope',
	'state',
	'access_type',
	'renew_previously_granted',
	'code_challenge',
	'code_challenge_method'
];
/** Those that only the dialect of today's standards reads. */
const standardParameters = [...openidParameters, 'response_mode', 'request', 'request_uri', 'registration', 'dpop_jkt'];
/** All parameters that the authorization endpoint reads. `resource` may be sent more than once. */
export const knownParameters: ReadonlySet<string> = new Set([...parameters, ...standardParameters, 'resource']);
/** What is not supported, with the error of each (OpenID Connect Core 1.0, section 3.1.2.6; RFC 9101, section 7). */
const unsupported = {
	request: ['request_not_supported', 'request_object'],
	request_uri: ['request_uri_not_supported', 'request_uri'],
	registration: ['registration_not_supported', 'registration']
} as const;

/**
 * Begins to read a request, which starts a flow.
 * @throws ProtocolError `invalid_request`
 */
export function beginRequest(context: AuthorizationContext, fields: FormFields): void {
	context.fields = fields;
	context.flow = base64url(context.options.random(9));
	if (fields.exceedsLimit) throw invalid('The request has more than 100 parameters.', { cause: 'too_many_parameters' });
	const state = fields.raw('state') ?? '';
	if (state.length - 2 * (state.match(/%/g)?.length ?? 0) > maxState)
		throw invalid('state can have at most 4,096 bytes.', {
			cause: 'state_too_long',
			expected: [`at most ${maxState} bytes`]
		});
}

/** Errors up to `auth.redirect_uri_registered` are shown on a page, never sent by redirect (RFC 6749, section 4.1.2.1). */
export const readQuery = check<AuthorizationContext>('auth.query_is_valid', (context) => {
	beginRequest(context, new FormFields(context.query));
	context.note(`${context.query.length} characters`);
});

export const identifyClient = check<AuthorizationContext>('auth.client_known', async (context) => {
	const client_id = requireSingle(context, 'client_id');
	const application = await context.store.get('application', client_id);
	if (application === undefined)
		throw new ProtocolError(
			'invalid_request',
			'No application has this client_id. It must match the registration exactly.',
			{ cause: 'unknown_client', received: [`client_id=${client_id}`] }
		);
	context.application = application;
	context.client_id = application.client_id;
	context.note(`${application.client_id}, ${application.kind} application`);
});

/**
 * Rejects parameters in an object (OpenID Connect Core 1.0, section 6; RFC 9101): a client that sends one expects it to be read. It may
 * have all other parameters, so this comes before they are missed.
 */
export const rejectRequestObject = inSandboxes<AuthorizationContext>(speaksStandard, [
	check('auth.request_object_absent', (context) => {
		const names = ['request', 'request_uri', 'registration'] as const;
		const name = names.find((one) => context.fields.has(one));
		if (name === undefined) return;
		const redirect_uri = context.fields.get('redirect_uri');
		const isSingle = context.fields.duplicated(['redirect_uri']) === undefined;
		if (redirect_uri !== undefined && isSingle && canReceive(context, redirect_uri))
			acceptRedirectUri(context, redirect_uri);
		const [code, cause] = unsupported[name];
		const place = context.request.method === 'POST' ? 'form' : 'query';
		throw new ProtocolError(code, `The parameter ${name} is not supported. Send all parameters in the ${place}.`, {
			cause
		});
	})
]);

/** Whether responses may be sent to a redirect URI. */
function canReceive({ application, dialect, weaknesses }: AuthorizationContext, redirect_uri: string): boolean {
	const isSupported = dialect.outOfBand || !isOutOfBand(redirect_uri);
	return isSupported && matchesRegistered(application, redirect_uri, dialect, weaknesses);
}

/** From here on errors go to the redirect URI. */
function acceptRedirectUri(context: AuthorizationContext, redirect_uri: string): void {
	const { fields, dialect } = context;
	const isFormPost = fields.get('response_mode') === 'form_post' && originOf(redirect_uri) !== undefined;
	context.authorizationRequest = {
		client_id: context.application.client_id,
		redirect_uri,
		state: stateOf(context),
		scopes: [],
		offline: false,
		renew: false,
		challenge: undefined,
		...(dialect.metadata && isFormPost && { responseMode: 'form_post' })
	};
	context.canRedirect = true;
}

/** The state as it was sent. An empty one counts as absent (RFC 6749, section 3.1), but the specification returns any string (section 2.1). */
function stateOf({ fields, dialect }: AuthorizationContext): string | undefined {
	const state = fields.duplicated(['state']) === undefined ? fields.raw('state') : undefined;
	return state === '' && dialect.metadata ? undefined : state;
}

const checkRedirectUri = check<AuthorizationContext>('auth.redirect_uri_registered', async (context) => {
	const redirect_uri = registeredByDefault(context) ?? requireSingle(context, 'redirect_uri');
	if (!matchesRegistered(context.application, redirect_uri, context.dialect, context.weaknesses)) {
		const mayList = await findAccess(context).catch(() => undefined);
		throw new ProtocolError(
			'invalid_request',
			'redirect_uri is not registered for this application. It must match exactly, including scheme, letter case, port and trailing slash.',
			{
				cause: 'not_registered',
				received: [redirect_uri],
				expected: context.application.redirect_uris,
				hidesExpected: mayList === undefined
			}
		);
	}
	if (isOutOfBand(redirect_uri) && !context.dialect.outOfBand) {
		throw new ProtocolError(
			'invalid_request',
			'The out-of-band redirect URI is not supported. Listen on a loopback address, for example http://127.0.0.1 with any port.',
			{ cause: 'out_of_band', received: [redirect_uri], expected: ['http://127.0.0.1 with any port'] }
		);
	}
	acceptRedirectUri(context, redirect_uri);
	context.compare(redirect_uri, context.application.redirect_uris);
});

/** The redirect URI of a request without one, where a provider does not require it. */
function registeredByDefault({ dialect, fields, application }: AuthorizationContext): string | undefined {
	return dialect.redirectUri?.optional === true && !fields.has('redirect_uri')
		? application.redirect_uris[0]
		: undefined;
}

const checkParameters = check<AuthorizationContext>('auth.parameters_are_valid', (context) => {
	const known = context.dialect.metadata ? [...parameters, ...standardParameters] : parameters;
	const duplicated = context.fields.duplicated(known);
	if (duplicated !== undefined)
		throw invalid(`The parameter ${duplicated} was sent more than once.`, { cause: 'duplicate_parameter' });
	const malformed = context.fields.malformed(known.filter((name) => name !== 'state'));
	if (malformed !== undefined)
		throw invalid(`The parameter ${malformed} is not percent-encoded UTF-8.`, { cause: 'malformed_parameter' });
	const asked = splitScopes(context.fields.get('scope') ?? '');
	for (const { name, value, scopes } of context.dialect.request?.authorize?.required ?? [])
		if (context.fields.get(name) !== value && scopes?.some((one) => asked.includes(one)) !== false)
			throw invalid(`${name} must be ${value}.`, { cause: 'missing_parameter' });
});

const checkResponseType = check<AuthorizationContext>('auth.response_type_is_code', (context) => {
	const response_type = context.fields.get('response_type');
	if (response_type === undefined)
		throw invalid('The parameter response_type is missing. It must be code.', { cause: 'missing_parameter' });
	if (response_type !== 'code') {
		const details = { cause: 'unsupported_value', received: [response_type], expected: ['code'] } as const;
		const shown = /^(?:(?:code|id_token|token|none) ?){1,3}$/.test(response_type)
			? `response_type=${response_type}`
			: 'This response_type';
		throw invalid(`${shown} is not supported. Set it to code.`, details, 'unsupported_response_type');
	}
	context.compare(response_type, ['code']);
});

/** How the response reaches the client (OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1; Form Post Response Mode 1.0). */
const checkResponseMode = whenStandard<AuthorizationContext>(
	({ fields }) => fields.has('response_mode'),
	[
		check('auth.response_mode_supported', (context) => {
			const mode = context.fields.get('response_mode') ?? 'query';
			const isForm = context.authorizationRequest.responseMode === 'form_post';
			if (mode === 'query' || isForm) return context.compare(mode, ['query', 'form_post']);
			throw invalid(
				mode === 'form_post'
					? 'response_mode=form_post needs a redirect URI with HTTP or HTTPS.'
					: 'response_mode must be query or form_post.',
				{ cause: 'unsupported_value', received: [mode], expected: ['query', 'form_post'] }
			);
		})
	]
);

const checkScope = check<AuthorizationContext>('auth.scope_known', async (context) => {
	const scopes = await requestedScopes(context, context.fields.get('scope'));
	context.authorizationRequest = { ...context.authorizationRequest, scopes };
});

/** The key that the code is bound to (RFC 9449, section 10). */
const checkThumbprint = whenStandard<AuthorizationContext>(
	({ fields }) => fields.has('dpop_jkt'),
	[
		check('auth.dpop_jkt_is_thumbprint', (context) => {
			const jkt = context.fields.get('dpop_jkt') ?? '';
			if (!/^[A-Za-z0-9_-]{43}$/.test(jkt))
				throw invalid('dpop_jkt must be the SHA-256 thumbprint of a key, 43 characters of base64url (RFC 7638).', {
					received: [`${jkt.length} characters`],
					expected: ['43 characters of base64url']
				});
			context.authorizationRequest = { ...context.authorizationRequest, jkt };
		})
	]
);

const checkAccessType = check<AuthorizationContext>('auth.access_type_is_valid', (context) => {
	const access_type = context.fields.get('access_type') ?? 'online';
	if (access_type !== 'online' && access_type !== 'offline') {
		throw invalid('access_type must be online or offline.', {
			received: [access_type],
			expected: ['online', 'offline']
		});
	}
	const renew = context.fields.get('renew_previously_granted') === 'yes';
	context.authorizationRequest = {
		...context.authorizationRequest,
		offline: isOffline(context, access_type),
		renew
	};
	context.compare(context.fields.get('access_type') ?? '(not sent: online)', ['online', 'offline']);
	if (renew) context.note('With everything granted before');
});

/** Whether a code of this request leads to a refresh token, if the user allows it. */
function isOffline({ dialect, fields }: AuthorizationContext, access_type: 'online' | 'offline'): boolean {
	const { refreshFor, refreshScopes = [] } = dialect;
	if (refreshFor === 'always' || refreshFor === 'never') return refreshFor === 'always';
	if (refreshFor !== 'scope') return access_type === 'offline';
	const asked = splitScopes(fields.get('scope') ?? '');
	return refreshScopes.some((scope) => asked.includes(scope));
}

const checkChallenge = check<AuthorizationContext>('auth.code_challenge_is_s256', (context) => {
	const challenge = context.fields.get('code_challenge');
	const method = context.fields.get('code_challenge_method');
	if (challenge === undefined && method === undefined && context.dialect.pkce === 'optional')
		return context.note('PKCE is not used');
	if (challenge === undefined && method === undefined && hasNonceInstead(context))
		return context.note('A nonce in place of PKCE');
	if (challenge === undefined || method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
		throw invalid('PKCE needs code_challenge_method=S256 and a code_challenge of 43 characters of base64url.', {
			cause: challenge === undefined ? 'missing_challenge' : method === 'S256' ? 'malformed_challenge' : 'not_s256',
			received: [
				`code_challenge_method=${method ?? '(not sent)'}, code_challenge of ${challenge?.length ?? 0} characters`
			],
			expected: ['code_challenge_method=S256, code_challenge of 43 characters']
		});
	}
	context.authorizationRequest = { ...context.authorizationRequest, challenge };
	context.note('S256');
});

/** What holds for every authorization request: as a query, and as a form that the client pushes. */
export const requestChecks = [
	checkRedirectUri,
	checkParameters,
	checkResponseType,
	...checkResponseMode,
	checkScope,
	...resourceCheck<AuthorizationContext>(
		'auth.resource_is_uri',
		({ fields }) => fields,
		(context, resources) => (context.authorizationRequest = { ...context.authorizationRequest, resources })
	),
	...checkThumbprint,
	checkAccessType,
	checkChallenge
] as const;

function requireSingle(context: AuthorizationContext, name: string): string {
	if (context.fields.duplicated([name]) !== undefined)
		throw invalid(`The parameter ${name} was sent more than once.`, { cause: 'duplicate_parameter' });
	const value = context.fields.get(name);
	if (value !== undefined) return value;
	const isSent = context.fields.has(name);
	throw invalid(`The parameter ${name} is ${isSent ? 'empty or not percent-encoded UTF-8' : 'missing'}.`, {
		cause: isSent ? 'empty_parameter' : 'missing_parameter'
	});
}

function invalid(description: string, details: ErrorDetails, code: ErrorCode = 'invalid_request'): ProtocolError {
	return new ProtocolError(code, description, details);
}
