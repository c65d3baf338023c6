import { parseScope } from '../../core/form-fields.ts';
import { recordToken } from '../../checks/attempt-limits.ts';
import { check } from '../../core/runner.ts';
import { redactCredential } from '../../core/hard-code.ts';
import { ProtocolError, type ErrorDetails } from '../../core/errors.ts';
import { respondData } from '../../core/responses.ts';
import type { AccessToken } from '../../sandbox/records.ts';
import { findAccount } from '../../sandbox/test-cards.ts';
import { isResource } from '../resource-indicators.ts';
import { createTokenResponse, describeIssued, type TokenContext } from '../token-context.ts';
import { accessTokenLifetime, grantOfActive, issueAccessToken, recordUse } from '../tokens.ts';

/** The only type of tokens that are exchanged and issued (RFC 8693, section 3). */
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
/** How many actors a token names at most. */
const maxActors = 5;

const requireSubject = check<TokenContext>('token.subject_token_present', ({ form }) => {
	if (form.get('subject_token') === undefined)
		throw invalid('The field subject_token is missing.', { cause: 'missing_field' });
	requireType(form.get('subject_token_type'), 'subject_token_type');
	requireType(form.get('requested_token_type') ?? accessTokenType, 'requested_token_type');
});

const findSubject = check<TokenContext>('token.subject_token_active', async (context) => {
	const [subject, grant] = await findActive(context, 'subject_token');
	if (subject === undefined || grant === undefined)
		throw invalid('The subject_token is unknown, expired or revoked.', {
			cause: subject === undefined ? 'unknown_token' : 'access_revoked'
		});
	const { username } = subject;
	if (username === undefined)
		throw invalid('The subject_token belongs to no user. Send that of a user.', { cause: 'no_user' });
	if ((await findAccount(context, username)) === undefined)
		throw invalid('The account of the subject_token was deleted.', { cause: 'account_deleted' });
	requireKeyOf(context, subject);
	context.subjectToken = { ...subject, username };
	context.grant = grant;
	context.grantedResources = subject.resources;
	({ flow: context.flow, grant: context.grantId, family: context.family } = subject);
	context.username = username;
	context.note(`${username}, issued to ${subject.client_id}`);
});

const findActor = check<TokenContext>('token.actor_known', async (context) => {
	const { form, application, subjectToken } = context;
	const { client_id } = application;
	const before = subjectToken.delegation?.actors ?? [];
	if (form.get('actor_token') !== undefined) {
		requireType(form.get('actor_token_type'), 'actor_token_type');
		const [actor, grant] = await findActive(context, 'actor_token');
		if (actor === undefined || grant === undefined)
			throw invalid('The actor_token is unknown, expired or revoked.', { cause: 'unknown_token' });
		if (actor.client_id !== client_id)
			throw invalid('The actor_token was issued to another application.', {
				cause: 'other_client',
				received: [client_id],
				expected: [actor.client_id],
				hidesExpected: true
			});
		context.actors = [actor.username ?? `client:${client_id}`, ...before];
	} else if (form.has('actor_token_type'))
		throw invalid('actor_token_type was sent without an actor_token. Send both, or none (RFC 8693, section 2.1).', {
			cause: 'type_without_actor',
			received: ['no actor_token']
		});
	else context.actors = application.token_exchange === 'impersonation' ? [] : [`client:${client_id}`, ...before];
	if (context.actors.length > maxActors)
		throw invalid(`A token names at most ${maxActors} actors.`, { cause: 'too_many_actors' });
	context.note(context.actors.join(', for ') || 'Impersonation: the token names no actor');
});

const readAudience = check<TokenContext>('token.audience_is_uri', (context) => {
	const audience = context.form.get('audience');
	if (audience === undefined) return context.note('Not sent');
	if (!isResource(audience))
		throw new ProtocolError('invalid_target', 'audience must be the absolute URI of a resource.', {
			received: [audience.slice(0, 200)],
			expected: [context.sandbox.base_url]
		});
	context.resources = [...new Set([...(context.resources ?? []), audience])];
	context.note(audience);
});

const checkScope = check<TokenContext>('token.scope_narrowed', (context) => {
	const { scopes: granted } = context.subjectToken;
	const sent = context.form.get('scope');
	const scopes = sent === undefined ? granted : parseScope(sent);
	if (scopes === undefined || !scopes.every((scope) => granted.includes(scope)))
		throw new ProtocolError('invalid_scope', `The subject_token has fewer scopes: ${granted.join(' ')}.`, {
			cause: scopes === undefined ? 'malformed_scope' : 'not_granted',
			received: [sent ?? ''],
			expected: [granted.join(' ')]
		});
	context.scopes = scopes;
	context.compare(sent ?? '(not sent: all)', [granted.join(' ')]);
});

const exchange = check<TokenContext>('token.exchanged', async (context) => {
	recordToken(context);
	const { subjectToken, application, scopes, resources, jkt, actors, credentialDigest } = context;
	const { flow, username, grant, family, client_id, delegation, expires } = subjectToken;
	const claims = {
		flow,
		client_id: application.client_id,
		username,
		grant,
		family,
		scopes,
		...(resources !== undefined && { resources }),
		...(jkt !== undefined && { jkt }),
		delegation: { actors, granted_to: delegation?.granted_to ?? client_id }
	};
	const left = Math.ceil((expires - context.now()) / 1000);
	const expires_in = Math.min(accessTokenLifetime(context, username), left);
	const access_token = await issueAccessToken(context, claims, credentialDigest, expires_in);
	await recordUse(context, context.grant);
	context.note(describeIssued(context, claims));
	const response = await createTokenResponse(context, access_token, claims, {});
	return respondData(context, 200, 'OAuth', { ...response, expires_in, issued_token_type: accessTokenType });
});

/**
 * The exchange of a user's access token for one that another application uses (RFC 8693): for fewer scopes and resources, no longer
 * than the first one, and with the application as `act`. It ends with the access that the user gave.
 */
export const tokenExchangeChecks = [
	requireSubject,
	findSubject,
	findActor,
	readAudience,
	checkScope,
	exchange
] as const;

async function findActive(
	context: TokenContext,
	field: 'subject_token' | 'actor_token'
): Promise<[AccessToken | undefined, Awaited<ReturnType<typeof grantOfActive>>]> {
	const sent = redactCredential(context, context.form.get(field) ?? '', field);
	const digest = context.digestOf(sent);
	if (field === 'subject_token') context.credentialDigest = digest;
	const token = await context.store.get('access_token', digest);
	return [token, token && (await grantOfActive(context, token))];
}

/** A client that registered itself proves the key of a bound token: a thief can register, too, and does not have the key. */
function requireKeyOf({ application, proof }: TokenContext, { jkt }: AccessToken): void {
	if (jkt === undefined || application.createdBy === undefined || proof?.jkt === jkt) return;
	throw invalid(
		'The subject_token is bound to a key. This client registered itself, so send a DPoP proof of that key.',
		{
			cause: proof === undefined ? 'no_proof' : 'other_key',
			received: [proof?.jkt ?? '(no proof)'],
			expected: [jkt]
		}
	);
}

function requireType(sent: string | undefined, field: string): void {
	if (sent === accessTokenType) return;
	throw invalid(`${field} must be ${accessTokenType}.`, {
		cause: 'wrong_token_type',
		received: [(sent ?? '(not sent)').slice(0, 100)],
		expected: [accessTokenType]
	});
}

function invalid(description: string, details: ErrorDetails): ProtocolError {
	return new ProtocolError('invalid_request', description, details);
}
