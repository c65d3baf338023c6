import { headerValues } from '#wire/headers.ts';
import { restrictCorsToClient } from '../checks/cors.ts';
import { Context } from '../context.ts';
import { ProtocolError, type ErrorCode } from '../errors.ts';
import { FormFields } from '../form-fields.ts';
import { isActive } from '../token/tokens.ts';
import type { AccessToken } from '../records.ts';
import { check } from '../runner.ts';

/** A call of a resource while it is being answered. */
export class ResourceContext extends Context {
	/** Set by the step that reads the credential. */
	credential!: string;
	/** Set by the step that looks the access token up. */
	access!: AccessToken;
}

const challenge = 'OAuth realm="Tollgate"';

/** Takes the one credential, from the query or the header (specification, section 5, rule 3). */
export const readCredential = check<ResourceContext>(
	'one access token came, in the query or in the header',
	'5',
	(context) => {
		const headers = headerValues(context.request.headers, 'authorization');
		const fields = new FormFields(context.query);
		const inQuery = fields.has('access_token');
		if (headers.length + (inQuery ? 1 : 0) > 1 || fields.duplicated(['access_token']) !== undefined) {
			throw unauthorized(
				'invalid_request',
				'More than one credential came. Send the access token once: in the header or in the query.',
				400
			);
		}
		const [header] = headers;
		if (header !== undefined) context.credential = context.redact(parseCredential(context, header));
		else if (inQuery) context.credential = context.redact(fields.get('access_token') ?? '');
		else throw noCredential();
		context.note(inQuery ? 'in the query, where logs and histories keep it' : 'in the header');
	}
);

/** Looks the access token up: not expired, its grant not revoked, its code not replayed. */
export const checkToken = check<ResourceContext>('the access token is good', '5', async (context) => {
	const access = await context.sandbox.store.get('access_token', context.options.digest(context.credential));
	if (access === undefined || !(await isActive(context, access))) {
		throw unauthorized(
			'invalid_token',
			'The access token is unknown, expired or revoked. Refresh it, or sign in again.',
			401
		);
	}
	const application = await context.sandbox.store.get('application', access.client_id);
	const account = await context.sandbox.store.get('account', access.username);
	if (application === undefined || account === undefined) {
		throw unauthorized('invalid_token', 'The access token belongs to an application or account that is gone.', 401);
	}
	restrictCorsToClient(context, application);
	context.access = access;
	context.client_id = access.client_id;
	context.username = access.username;
	context.note(`${access.client_id} for ${access.username}: ${access.scopes.join(' ')}`);
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

function parseCredential(context: ResourceContext, header: string): string {
	const [, scheme = '', token = ''] = /^([!#-'*+.^-z|~\w-]+)(?: +(.*))?$/s.exec(header.trim()) ?? [];
	const isBearer = scheme.toLowerCase() === 'bearer';
	if (scheme.toLowerCase() !== 'oauth' && !(isBearer && !context.sandbox.state.settings.strict)) {
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
