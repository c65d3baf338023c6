import type { Cause } from '#api/checks.ts';
import type { PushedResponse } from '#api/protocol/pushed.ts';
import { decodePercent } from '#lib/percent.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { allowOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { injectFault } from '../checks/faults.ts';
import { check, endpoint, when } from '../core/runner.ts';
import { ProtocolError } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import { requireMethod, respondData, respondError } from '../core/responses.ts';
import type { PushedRequest } from '../sandbox/records.ts';
import { firstRequestChecks } from '../token/client-checks.ts';
import { checkReplay, type Proof, proofChecks, proofError } from '../token/dpop-proof.ts';
import { randomToken } from '../token/tokens.ts';
import { AuthorizationContext } from './consent.ts';
import { isNavigation } from './navigation.ts';
import { beginRequest, knownParameters, rejectRequestObject, requestChecks } from './request.ts';

/** How long a pushed request can be used, in seconds of the sandbox clock. */
const pushedLifetime = 90;
/** How long one that ended is still recognized, in milliseconds of the sandbox clock. */
const pushedMemory = 10 * 60_000;
/** What a `request_uri` of this service begins with (RFC 9126, section 2.2). */
const uriPrefix = 'urn:ietf:params:oauth:request_uri:';

/** The context of a pushed request: that of a client with its form, and of an authorization request. */
class PushContext extends AuthorizationContext {
	form!: FormFields;
	isAuthenticated!: boolean;
	/** Set by `dpop.proof_readable`. */
	proof: Proof | undefined;
}

const checkMethod = check<PushContext>('par.method_is_post', (context) => requireMethod(context, 'POST'));

const readRequest = check<PushContext>('par.request_read', (context) => beginRequest(context, context.form));

/** A proof binds the code to its key, as `dpop_jkt` does (RFC 9449, section 10.1). */
const checkKey = check<PushContext>('par.dpop_key_matches', (context) => {
	const { proof, authorizationRequest } = context;
	const [found = '', expected = found] = [proof?.jkt, authorizationRequest.jkt];
	if (found === expected) return context.compare(found, [expected]);
	throw proofError(context, 'dpop_jkt is the thumbprint of another key than that of the proof.', {
		received: [found],
		expected: [expected]
	});
});

const storeRequest = check<PushContext>('par.request_stored', async (context) => {
	const { proof, authorizationRequest } = context;
	const isBoundByProof = proof !== undefined && authorizationRequest.jkt === undefined;
	const query = parametersOf(context.bodyText ?? '') + (isBoundByProof ? `&dpop_jkt=${proof.jkt}` : '');
	const weight = 1 + Math.floor(query.length / 512);
	if (context.options.adminKey !== undefined) await recordFailedAttempt(context, 'start_sign_in', '', weight);
	const id = randomToken(context, 'request_uri');
	const validUntil = context.now() + pushedLifetime * 1000;
	await context.store.update('pushed_request', context.digestOf(id), () => ({
		flow: context.flow ?? '',
		client_id: context.application.client_id,
		query,
		weight,
		validUntil,
		expires: validUntil + pushedMemory,
		createdBy: context.networkAddress
	}));
	context.note(`Expires in ${pushedLifetime} s`);
	const pushed: PushedResponse = { request_uri: `${uriPrefix}${id}`, expires_in: pushedLifetime };
	return respondData(context, 201, 'pushed', pushed);
});

/** The endpoint for pushed authorization requests, `POST /ws/oauth2/par` (RFC 9126, section 2). */
export const pushedAuthorization = endpoint(
	PushContext,
	[
		rejectBlacklisted,
		requireMetadata,
		allowOrigins('POST'),
		injectFault,
		checkMethod,
		...firstRequestChecks,
		readRequest,
		...rejectRequestObject,
		...requestChecks,
		...proofChecks<PushContext>(
			() => true,
			() => false
		),
		...when<PushContext>(({ proof }) => proof !== undefined, [checkKey, checkReplay]),
		storeRequest
	],
	respondError
);

/** The encoded pairs of a form that belong to the request, without what authenticates the client. */
function parametersOf(form: string): string {
	const isParameter = (pair: string) => knownParameters.has(decodePercent(pair.split('=', 1)[0] ?? '', true) ?? '');
	return form.split('&').filter(isParameter).join('&');
}

const checkAlone = check<AuthorizationContext>('auth.request_uri_alone', ({ fields }) => {
	if (fields.duplicated(['request_uri']) !== undefined)
		throw new ProtocolError('invalid_request', 'The parameter request_uri was sent more than once. Send it once.');
	const others = [...fields.names()].filter(
		(name) => knownParameters.has(name) && name !== 'client_id' && name !== 'request_uri'
	);
	if (others.length > 0)
		throw new ProtocolError(
			'invalid_request',
			`The request has parameters beside request_uri: ${others.join(', ')}. Push all of them, and send client_id and request_uri only.`,
			{ received: others, expected: ['client_id', 'request_uri'] }
		);
});

const useRequest = check<AuthorizationContext>('auth.request_uri_valid', async (context) => {
	const id = context.fields.get('request_uri')?.slice(uriPrefix.length) ?? '';
	const digest = context.digestOf(context.redact(id, 'request_uri'));
	const { client_id } = context.application;
	const now = context.now();
	const found: { pushed?: PushedRequest | undefined } = {};
	await context.store.update('pushed_request', digest, (pushed) => {
		found.pushed = pushed;
		// A browser that only loads the page ahead does not use the request up.
		const uses = pushed?.client_id === client_id && now < pushed.validUntil && isNavigation(context);
		return pushed && (uses ? { ...pushed, isUsed: true } : pushed);
	});
	const { pushed } = found;
	if (pushed === undefined) throw invalidUri('unknown');
	context.flow = pushed.flow;
	if (pushed.client_id !== client_id) throw invalidUri('other_client');
	if (pushed.isUsed) throw invalidUri('already_used');
	if (now >= pushed.validUntil) throw invalidUri('expired');
	context.fields = new FormFields(pushed.query);
	context.isPushed = true;
	context.note(`Valid for ${Math.ceil((pushed.validUntil - now) / 1000)} s more`);
});

/** What replaces the query of a request by the one that its client pushed (RFC 9126, section 4). */
export const pushedRequestChecks = [checkAlone, useRequest] as const;

/** Whether a request names one that was pushed. Any other URI is that of a request object. */
export function namesPushed({ fields }: AuthorizationContext): boolean {
	return fields.get('request_uri')?.startsWith(uriPrefix) === true;
}

/** One error for every cause, so that a client learns nothing about the requests of others. */
function invalidUri(cause: Cause): ProtocolError {
	return new ProtocolError(
		'invalid_request_uri',
		'The request_uri is unknown, used or expired, or belongs to another application. Push the request again.',
		{ cause }
	);
}
