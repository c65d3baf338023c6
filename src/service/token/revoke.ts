import { answerData, answerError, requireMethod } from '../responses.ts';
import { Call } from '../context.ts';
import { ProtocolError } from '../errors.ts';
import { Fields } from '../form-fields.ts';
import { refuseBlacklisted } from '../checks/blacklist.ts';
import { allowOrigins, narrowOrigins } from '../checks/cors.ts';
import { injectFault } from '../checks/faults.ts';
import { endGrant, isLive } from './tokens.ts';
import { isPrefetch } from '../checks/link-preview.ts';
import { countGuess, type GuessTarget } from '../checks/attempt-limits.ts';
import type { Application } from '../records.ts';
import { endpoint, step } from '../runner.ts';

class RevokeCall extends Call {
	/** Set by the step that reads the query. */
	token!: string;
	/** Set by the step that reads the query. */
	clientId!: string;
	/** Set by the step that identifies the application. */
	application!: Application;
}

const takeMethod = step<RevokeCall>('the method is GET', '4', (call) => requireMethod(call, 'GET'));

const refusePrefetch = step<RevokeCall>(
	'somebody means it: this is no prefetch, nor the preview of a link',
	'RFC 9110 §9.2.1',
	(call) => {
		if (isPrefetch(call))
			throw new ProtocolError(
				'invalid_request',
				'A prefetch or the preview of a link revokes nothing. The application sends this request itself, and means it.'
			);
	}
);

const readQuery = step<RevokeCall>('token and client_id are there, once each', '4', (call) => {
	const fields = new Fields(call.query);
	const repeated = fields.repeated(['token', 'client_id']);
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
	call.token = call.secret(token);
	call.clientId = client_id;
});

const identifyApplication = step<RevokeCall>('client_id is that of an application', '4', async (call) => {
	const application = await call.sandbox.area.get('application', call.clientId);
	if (application === undefined) {
		throw new ProtocolError('invalid_client', 'No application has this client_id.', { status: 400 });
	}
	call.application = application;
	call.client_id = application.client_id;
	narrowOrigins(call, application);
	call.saw(application.client_id);
});

const endAccess = step<RevokeCall>('the token is a live refresh token of the application', '3.1', async (call) => {
	const guess: GuessTarget = `client ${call.application.client_id.slice(0, 64)} ${call.address}`;
	const refresh = await call.sandbox.area.get('refresh', call.options.digest(call.token));
	const isOurs =
		refresh !== undefined && refresh.client_id === call.application.client_id && (await isLive(call, refresh));
	if (!isOurs || !(await endGrant(call, refresh.username, refresh.client_id, refresh.grant))) {
		await countGuess(call, guess);
		throw new ProtocolError(
			'invalid_token',
			'This is no live refresh token of the application: unknown, another kind of token, or revoked before.',
			{ status: 400 }
		);
	}
	call.username = refresh.username;
	call.saw(`the grant of ${refresh.username} is ended, with all its tokens`);
	return answerData(call, 200, 'revocation', { revoked: true });
});

/** The revocation endpoint, `GET /ws/oauth2/revoke` (specification, sections 3.1, 4 and 7). */
export const revoke = endpoint(
	RevokeCall,
	[
		refuseBlacklisted,
		allowOrigins('GET'),
		injectFault,
		takeMethod,
		refusePrefetch,
		readQuery,
		identifyApplication,
		endAccess
	],
	answerError
);
