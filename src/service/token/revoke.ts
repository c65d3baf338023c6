import { respondData, respondError, requireMethod } from '../responses.ts';
import { Context } from '../context.ts';
import { ProtocolError } from '../errors.ts';
import { FormFields } from '../form-fields.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { allowOrigins, restrictCorsToClient } from '../checks/cors.ts';
import { injectFault } from '../checks/faults.ts';
import { revokeGrant, isActive } from './tokens.ts';
import { isPrefetch } from '../checks/link-preview.ts';
import { recordFailedAttempt, type AttemptTarget } from '../checks/attempt-limits.ts';
import type { Application } from '../records.ts';
import { endpoint, check } from '../runner.ts';

class RevokeContext extends Context {
	/** Set by the step that reads the query. */
	token!: string;
	/** Set by the step that reads the query. */
	clientId!: string;
	/** Set by the step that identifies the application. */
	application!: Application;
}

const checkMethod = check<RevokeContext>('the method is GET', '4', (context) => requireMethod(context, 'GET'));

const refusePrefetch = check<RevokeContext>(
	'somebody means it: this is no prefetch, nor the preview of a link',
	'RFC 9110 §9.2.1',
	(context) => {
		if (isPrefetch(context))
			throw new ProtocolError(
				'invalid_request',
				'A prefetch or the preview of a link revokes nothing. The application sends this request itself, and means it.'
			);
	}
);

const readQuery = check<RevokeContext>('token and client_id are there, once each', '4', (context) => {
	const fields = new FormFields(context.query);
	const repeated = fields.duplicated(['token', 'client_id']);
	if (repeated !== undefined)
		throw new ProtocolError('invalid_request', `The parameter ${repeated} was sent more than once.`);
	const [token, client_id] = [fields.get('token'), fields.get('client_id')];
	if (token === undefined || client_id === undefined) {
		const missing = token === undefined ? 'token' : 'client_id';
		throw new ProtocolError(
			'invalid_request',
			`The parameter ${missing} is missing. Send the refresh token and the client_id.`
		);
	}
	context.token = context.redact(token);
	context.clientId = client_id;
});

const identifyClient = check<RevokeContext>('client_id is that of an application', '4', async (context) => {
	const application = await context.sandbox.store.get('application', context.clientId);
	if (application === undefined) {
		throw new ProtocolError('invalid_client', 'No application has this client_id.', { status: 400 });
	}
	context.application = application;
	context.client_id = application.client_id;
	restrictCorsToClient(context, application);
	context.note(application.client_id);
});

const revokeToken = check<RevokeContext>(
	'the token is a live refresh token of the application',
	'3.1',
	async (context) => {
		const guess: AttemptTarget = `client ${context.application.client_id.slice(0, 64)} ${context.address}`;
		const refresh = await context.sandbox.store.get('refresh_token', context.options.digest(context.token));
		const isOurs =
			refresh !== undefined &&
			refresh.client_id === context.application.client_id &&
			(await isActive(context, refresh));
		if (!isOurs || !(await revokeGrant(context, refresh.username, refresh.client_id, refresh.grant))) {
			await recordFailedAttempt(context, guess);
			throw new ProtocolError(
				'invalid_token',
				'This is no live refresh token of the application: unknown, another kind of token, or revoked before.',
				{ status: 400 }
			);
		}
		context.username = refresh.username;
		context.note(`the grant of ${refresh.username} is ended, with all its tokens`);
		return respondData(context, 200, 'revocation', { revoked: true });
	}
);

/** The revocation endpoint, `GET /ws/oauth2/revoke` (specification, sections 3.1, 4 and 7). */
export const revoke = endpoint(
	RevokeContext,
	[
		refuseBlacklisted,
		allowOrigins('GET'),
		injectFault,
		checkMethod,
		refusePrefetch,
		readQuery,
		identifyClient,
		revokeToken
	],
	respondError
);
