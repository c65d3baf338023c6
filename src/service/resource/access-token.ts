import { headerValues } from '#wire/headers.ts';
import { narrowOrigins } from '../checks/cors.ts';
import { Call } from '../context.ts';
import { ProtocolError, type ErrorCode } from '../errors.ts';
import { Fields } from '../form-fields.ts';
import { isLive } from '../token/tokens.ts';
import type { AccessToken } from '../records.ts';
import { step } from '../runner.ts';

/** A call of a resource while it is being answered. */
export class ResourceCall extends Call {
	/** Set by the step that reads the credential. */
	credential!: string;
	/** Set by the step that looks the access token up. */
	access!: AccessToken;
}

const challenge = 'OAuth realm="Tollgate"';

/** Takes the one credential, from the query or the header (specification, section 5, rule 3). */
export const readCredential = step<ResourceCall>(
	'one access token came, in the query or in the header',
	'5',
	(call) => {
		const headers = headerValues(call.request.headers, 'authorization');
		const fields = new Fields(call.query);
		const inQuery = fields.has('access_token');
		if (headers.length + (inQuery ? 1 : 0) > 1 || fields.repeated(['access_token']) !== undefined) {
			throw unauthorized(
				'invalid_request',
				'More than one credential came. Send the access token once: in the header or in the query.',
				400
			);
		}
		const [header] = headers;
		if (header !== undefined) call.credential = call.secret(tokenOf(call, header));
		else if (inQuery) call.credential = call.secret(fields.get('access_token') ?? '');
		else throw noCredential();
		call.saw(inQuery ? 'in the query, where logs and histories keep it' : 'in the header');
	}
);

/** Looks the access token up: not expired, its grant not revoked, its code not replayed. */
export const checkToken = step<ResourceCall>('the access token is good', '5', async (call) => {
	const access = await call.sandbox.area.get('access', call.options.digest(call.credential));
	if (access === undefined || !(await isLive(call, access))) {
		throw unauthorized(
			'invalid_token',
			'The access token is unknown, expired or revoked. Refresh it, or sign in again.',
			401
		);
	}
	const application = await call.sandbox.area.get('application', access.client_id);
	const account = await call.sandbox.area.get('account', access.username);
	if (application === undefined || account === undefined) {
		throw unauthorized('invalid_token', 'The access token belongs to an application or account that is gone.', 401);
	}
	narrowOrigins(call, application);
	call.access = access;
	call.client_id = access.client_id;
	call.username = access.username;
	call.saw(`${access.client_id} for ${access.username}: ${access.scopes.join(' ')}`);
});

/** The error where a permission is missing (RFC 6750, section 3.1). */
export function missingPermission(scope: string): ProtocolError {
	return new ProtocolError(
		'insufficient_scope',
		`This needs the permission ${scope}. Ask for it in an authorization request.`,
		{
			headers: ['WWW-Authenticate', `${challenge}, error="insufficient_scope", scope="${scope}"`]
		}
	);
}

function tokenOf(call: ResourceCall, header: string): string {
	const [, scheme = '', token = ''] = /^([!#-'*+.^-z|~\w-]+)(?: +(.*))?$/s.exec(header.trim()) ?? [];
	const isBearer = scheme.toLowerCase() === 'bearer';
	if (scheme.toLowerCase() !== 'oauth' && !(isBearer && !call.sandbox.world.settings.strict)) {
		const said = isBearer ? 'This service does not take Bearer. ' : '';
		throw unauthorized('invalid_token', `${said}Send the access token as: Authorization: OAuth ACCESS_TOKEN`, 401);
	}
	if (!/^[A-Za-z0-9._~+/-]+=*$/.test(token)) {
		throw unauthorized('invalid_token', 'The header is not of the form: Authorization: OAuth ACCESS_TOKEN', 401);
	}
	return token;
}

function noCredential(): ProtocolError {
	return new ProtocolError('invalid_token', 'No access token came. Send it as: Authorization: OAuth ACCESS_TOKEN', {
		headers: ['WWW-Authenticate', challenge]
	});
}

function unauthorized(code: ErrorCode, description: string, status: number): ProtocolError {
	const headers = ['WWW-Authenticate', `${challenge}, error="${code}"`];
	return new ProtocolError(code, description, { status, headers });
}
