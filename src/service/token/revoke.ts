import type { Revocation } from '#api/protocol/token.ts';
import { check, endpoint } from '../core/runner.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { allowOrigins, restrictCorsToClient } from '../checks/cors.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { injectFault } from '../checks/faults.ts';
import { isPrefetch } from '../checks/link-preview.ts';
import { Context } from '../core/context.ts';
import { type ErrorDetails, ProtocolError } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import type { Application, RefreshToken } from '../sandbox/records.ts';
import { requireMethod, respondData, respondError } from '../core/responses.ts';
import { grantOfActive, revokeGrant } from './tokens.ts';

/** Lets scripts of registered origins send a revocation by the method of the dialect. */
export const allowRevocation = allowOrigins<Context>(({ revocation }) => revocation);

/** A sandbox revokes by GET or by POST. The other method gets 405. */
export const checkRevocationMethod = check<Context>('revoke.method_is_get', (context) =>
	requireMethod(context, context.dialect.revocation)
);

class RevokeContext extends Context {
	/** Set by `revoke.parameters_present`. */
	token!: string;
	/** Set by `revoke.parameters_present`. */
	clientId!: string;
	/** Set by `revoke.client_known`. */
	application!: Application;
	/** Set by `revoke.token_known`. */
	refreshToken!: RefreshToken;
}

const rejectPrefetch = check<RevokeContext>('revoke.not_prefetched', (context) => {
	if (isPrefetch(context))
		throw new ProtocolError(
			'invalid_request',
			'Prefetches and link previews revoke nothing. The application must send this request itself.'
		);
});

const readQuery = check<RevokeContext>('revoke.parameters_present', (context) => {
	const fields = new FormFields(context.query);
	const duplicated = fields.duplicated(['token', 'client_id']);
	if (duplicated !== undefined)
		throw new ProtocolError('invalid_request', `The parameter ${duplicated} was sent more than once.`, {
			cause: 'duplicate_parameter'
		});
	const [token, client_id] = [fields.get('token'), fields.get('client_id')];
	if (token === undefined || client_id === undefined) {
		const missing = token === undefined ? 'token' : 'client_id';
		throw new ProtocolError(
			'invalid_request',
			`The parameter ${missing} is missing. Send the refresh token and the client_id.`,
			{ cause: 'missing_parameter', expected: [missing] }
		);
	}
	context.token = context.redact(token, 'token');
	context.clientId = client_id;
});

const identifyClient = check<RevokeContext>('revoke.client_known', async (context) => {
	const application = await context.store.get('application', context.clientId);
	if (application === undefined) {
		throw new ProtocolError('invalid_client', 'No application has this client_id.', {
			status: 400,
			received: [context.clientId]
		});
	}
	context.application = application;
	context.client_id = application.client_id;
	restrictCorsToClient(context, application);
	context.note(application.client_id);
});

const findToken = check<RevokeContext>('revoke.token_known', async (context) => {
	const refreshToken = await context.store.get('refresh_token', context.digestOf(context.token));
	if (refreshToken === undefined) throw await invalidToken(context);
	context.refreshToken = refreshToken;
	({ flow: context.flow, grant: context.grantId, family: context.family } = refreshToken);
});

const checkClient = check<RevokeContext>('revoke.token_issued_to_client', async (context) => {
	const [received, expected] = [[context.application.client_id], [context.refreshToken.client_id]];
	if (context.refreshToken.client_id !== context.application.client_id)
		throw await invalidToken(context, { received, expected });
	context.compare(context.application.client_id, expected);
});

const checkActive = check<RevokeContext>('revoke.token_active', async (context) => {
	if ((await grantOfActive(context, context.refreshToken)) === undefined) throw await invalidToken(context);
});

const revokeToken = check<RevokeContext>('revoke.grant_revoked', async (context) => {
	const { username, client_id, grant } = context.refreshToken;
	if (!(await revokeGrant(context, username, client_id, grant))) throw await invalidToken(context);
	context.username = username;
	context.note(`Grant of ${username}`);
	const data: Revocation = { revoked: true };
	return respondData(context, 200, 'revocation', data);
});

/** The revocation endpoint of the specification, `GET /ws/oauth2/revoke` (sections 3.1, 4 and 7). */
export const revoke = endpoint(
	RevokeContext,
	[
		rejectBlacklisted,
		allowRevocation,
		injectFault,
		checkRevocationMethod,
		rejectPrefetch,
		readQuery,
		identifyClient,
		findToken,
		checkClient,
		checkActive,
		revokeToken
	],
	respondError
);

/**
 * Counts the failed attempt. One error for every cause, so that a client learns nothing about the tokens of others.
 * @throws ProtocolError `too_many_attempts`
 */
async function invalidToken(context: RevokeContext, details: ErrorDetails = {}): Promise<ProtocolError> {
	await recordFailedAttempt(context, 'client', context.application.client_id);
	return new ProtocolError(
		'invalid_token',
		'The token is not an active refresh token of this application. It is unknown, of another type, or already revoked.',
		{ ...details, status: 400 }
	);
}
