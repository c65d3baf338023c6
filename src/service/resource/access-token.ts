import { headerValues } from '#api/headers.ts';
import { maxIn } from '#store/collection-limits.ts';
import { findAccount } from '../sandbox/test-cards.ts';
import { check, when } from '../core/runner.ts';
import { restrictCorsToClient } from '../checks/cors.ts';
import { Context } from '../core/context.ts';
import { damageOf, redactCredential } from '../core/hard-code.ts';
import { ProtocolError, type ErrorDetails } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import { maxPerFamily, recordLimits } from '../sandbox/record-limits.ts';
import type { AccessToken, Grant } from '../sandbox/records.ts';
import { isFor } from '../token/resource-indicators.ts';
import { grantOfActive, recordUse } from '../token/tokens.ts';
import {
	boundAlgorithms,
	challengeOf,
	isBoundScheme,
	metadataParameter,
	unauthorized
} from '../core/resource-errors.ts';
import { checkReplay, checkTokenHash, type Proof, proofChecks } from '../token/dpop-proof.ts';

export class ResourceContext extends Context {
	/** Set by `access_token.sent_once`. */
	credential!: string;
	/** Set by `access_token.known`. */
	accessToken!: AccessToken;
	/** Set by `access_token.not_revoked`. */
	grant!: Grant;
	/** Set by `dpop.proof_readable`. */
	proof: Proof | undefined;
}

const readCredential = check<ResourceContext>('access_token.sent_once', (context) => {
	const headers = headerValues(context.request.headers, 'authorization');
	const fields = new FormFields(context.query);
	const isInQuery = fields.has('access_token');
	if (headers.length + (isInQuery ? 1 : 0) > 1 || fields.duplicated(['access_token']) !== undefined) {
		throw unauthorized(
			context,
			'invalid_request',
			`The request contains more than one access token. Send one, in the Authorization header${context.dialect.tokenInQuery ? ' or in the query' : ''}.`,
			400,
			{
				cause: 'sent_twice',
				received: [`${headers.length} in headers, ${isInQuery ? 'more' : '0'} in the query`],
				expected: ['1']
			}
		);
	}
	if (isInQuery && !context.dialect.tokenInQuery) {
		throw unauthorized(
			context,
			'invalid_request',
			'The access token is in the URL, where logs and browser histories store it. Send it in the Authorization header.',
			400,
			{ cause: 'token_in_query', received: ['access_token in the query'], expected: ['Authorization header'] }
		);
	}
	const [header] = headers;
	if (header !== undefined)
		context.credential = redactCredential(context, parseCredential(context, header), 'access_token');
	else if (isInQuery) context.credential = redactCredential(context, fields.get('access_token') ?? '', 'access_token');
	else throw noCredential(context);
	context.note(isInQuery ? 'In the query: logs and browser histories store it' : 'In the header');
});

const findToken = check<ResourceContext>('access_token.known', async (context) => {
	const digest = context.digestOf(context.credential);
	const accessToken = await context.store.get('access_token', digest);
	if (accessToken === undefined) {
		const kept = maxIn(recordLimits.access_token, context.sandbox.id);
		context.note(
			`Unknown, expired, or evicted by newer ones: this sandbox keeps ${kept} access tokens, and ${maxPerFamily} of one code exchange`
		);
		throw invalidToken(context, damageOf(context.credential));
	}
	context.accessToken = accessToken;
	({ flow: context.flow, grant: context.grantId, family: context.family } = accessToken);
	context.credentialEvents.push({ type: 'used', kind: 'access_token', id: digest });
});

const checkActive = check<ResourceContext>('access_token.not_revoked', async (context) => {
	const grant = await grantOfActive(context, context.accessToken);
	if (grant === undefined) throw invalidToken(context);
	context.grant = grant;
});

const loadOwners = check<ResourceContext>('access_token.owners_exist', async (context) => {
	const { client_id, username, scopes } = context.accessToken;
	const application = await context.store.get('application', client_id);
	const isDeleted = username !== undefined && (await findAccount(context, username)) === undefined;
	if (application === undefined || isDeleted) {
		const cause = application === undefined ? 'application_deleted' : 'account_deleted';
		const description = 'The access token belongs to an application or account that was deleted. Sign in again.';
		throw unauthorized(context, 'invalid_token', description, 401, { cause });
	}
	restrictCorsToClient(context, application);
	await recordUse(context, context.grant);
	context.client_id = client_id;
	context.username = username;
	const by = context.accessToken.delegation?.actors.map((actor) => `, by ${actor}`).join('') ?? '';
	context.note(`${client_id} for ${username ?? 'itself'}${by}: ${scopes.join(' ')}`);
});

/** Tokens that name resources work at these only. User info is no resource: it belongs to the server that issued the token. */
const checkResource = when<ResourceContext>(
	({ accessToken, path }) => accessToken.resources !== undefined && !path.startsWith('/ws/oauth2/'),
	[
		check('access_token.for_this_resource', (context) => {
			const { resources = [] } = context.accessToken;
			const url = `${context.sandbox.base_url}${context.path}`;
			if (isFor(resources, url)) return context.compare(url, resources);
			throw unauthorized(
				context,
				'invalid_token',
				'The access token was issued for another resource. Name this one as resource, and get a new token.',
				401,
				{ cause: 'other_resource', received: [url], expected: resources }
			);
		})
	]
);

const isBound = ({ accessToken }: ResourceContext) => accessToken.jkt !== undefined;

const checkScheme = when<ResourceContext>(
	(context) => isBound(context) || isBoundScheme(context),
	[
		check('access_token.scheme_fits', (context) => {
			const [sent, expected] = [isBoundScheme(context) ? 'DPoP' : 'Bearer', isBound(context) ? 'DPoP' : 'Bearer'];
			if (sent === expected) return context.compare(sent, [expected]);
			throw unauthorized(
				context,
				'invalid_token',
				isBound(context)
					? 'The access token is bound to a key. Send it with the scheme DPoP and a proof of this key.'
					: 'The access token is bound to no key. Send it with the scheme Bearer.',
				401,
				{ cause: isBound(context) ? 'bound_token' : 'unbound_token', received: [sent], expected: [expected] },
				'DPoP'
			);
		})
	]
);

const checkKey = check<ResourceContext>('access_token.key_proven', (context) => {
	const [jkt = '', bound = ''] = [context.proof?.jkt, context.accessToken.jkt];
	if (jkt === bound) return context.compare(jkt, [bound]);
	throw unauthorized(
		context,
		'invalid_token',
		'The access token is bound to another key than that of the proof.',
		401,
		{ received: [jkt], expected: [bound] }
	);
});

/** What a token that is bound to a key needs (RFC 9449, section 7). */
const boundTokenChecks = [
	...checkScheme,
	...proofChecks<ResourceContext>(isBound, isBound),
	...when<ResourceContext>(isBound, [checkTokenHash, checkKey, checkReplay])
] as const;

/** The access token of a resource request (specification, section 5.3). */
export const accessTokenChecks = [
	readCredential,
	findToken,
	checkActive,
	loadOwners,
	...boundTokenChecks,
	...checkResource
] as const;

function parseCredential(context: ResourceContext, header: string): string {
	const [, scheme = '', token = ''] = /^([!#-'*+.^-z|~\w-]+)(?: +(.*))?$/s.exec(header.trim()) ?? [];
	const { schemes } = context.dialect;
	const form = `Authorization: ${schemes[0] ?? ''} ACCESS_TOKEN`;
	if (!schemes.some((accepted) => accepted.toLowerCase() === scheme.toLowerCase())) {
		const isOther = /^(?:bearer|oauth)$/i.test(scheme);
		const said = isOther ? `This service does not take ${schemes[0] === 'OAuth' ? 'Bearer' : 'OAuth'}. ` : '';
		const details = {
			cause: !isOther ? 'other_scheme' : schemes[0] === 'OAuth' ? 'bearer_scheme' : 'oauth_scheme',
			// Any other word may be the token.
			received: [/^(?:bearer|oauth|basic|digest|dpop|jwt|token)$/i.test(scheme) ? scheme : '(no known scheme)'],
			expected: [schemes[0] ?? '']
		} as const;
		const description = `${said}Send the access token as: ${form}`;
		// A scheme that the service does not know contains no token to judge (RFC 6750, section 3.1).
		if (schemes[0] === 'Bearer') throw noCredential(context, description, details);
		throw unauthorized(context, 'invalid_token', description, 401, details);
	}
	if (!/^[A-Za-z0-9._~+/-]+=*$/.test(token)) {
		throw unauthorized(context, 'invalid_token', `The header is not of the form: ${form}`, 401, {
			cause: token === '' ? 'empty_token' : 'malformed_token'
		});
	}
	return token;
}

/** The same error for an unknown, an expired and a revoked token. */
function invalidToken(context: Context, details: ErrorDetails = {}): ProtocolError {
	return unauthorized(
		context,
		'invalid_token',
		'The access token is unknown, expired or revoked. Refresh it, or sign in again.',
		401,
		details
	);
}

/** The error where no token was recognized. Its challenge has no error code (RFC 6750, section 3.1). */
function noCredential(
	context: Context,
	description = `The access token is missing. Send it in a header: Authorization: ${context.dialect.schemes[0] ?? ''} ACCESS_TOKEN`,
	details: ErrorDetails = { cause: 'missing_token' }
): ProtocolError {
	const bound = context.dialect.schemes.includes('DPoP') ? `, DPoP ${boundAlgorithms}` : '';
	const headers = ['WWW-Authenticate', `${challengeOf(context)}${metadataParameter(context)}${bound}`];
	return new ProtocolError('invalid_token', description, { ...details, headers });
}
