import type { Cause } from '#api/checks.ts';
import type { FormFields } from '../core/form-fields.ts';
import type { Context } from '../core/context.ts';
import { base64url, basicCredentials, timingSafeEqual } from '../core/encoding.ts';
import { ProtocolError, type ErrorDetails } from '../core/errors.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import type { Application, HashedSecret } from '../sandbox/records.ts';
import type { ServiceOptions } from '../core/options.ts';

/** The longest accepted secret, in characters. */
const maxSecret = 512;
const unknownClient: HashedSecret = { salt: 'unknown', digest: '0'.repeat(43) };

/** Creates a client secret of 256 bits and its stored form. */
export function createSecret(options: ServiceOptions): { client_secret: string; secret: HashedSecret } {
	const client_secret = base64url(options.random(32));
	const salt = base64url(options.random(12));
	return { client_secret, secret: { salt, digest: options.digest(`${salt}:${client_secret}`) } };
}

/**
 * The application that sends a request: with its secret, or without one if it is an installed application and the dialect allows
 * that (RFC 8252, section 8.5).
 * @param client_secret undefined where none was sent
 * @returns the application, and whether it proved who it is
 * @throws ProtocolError `invalid_client`, `too_many_attempts`
 */
export async function authenticateClient(
	context: Context,
	client_id: string,
	client_secret: string | undefined
): Promise<{ readonly application: Application; readonly isAuthenticated: boolean }> {
	if (client_secret === undefined && context.dialect.authentication.includes('none')) {
		const application = await context.store.get('application', client_id);
		if (application?.kind === 'installed') {
			context.client_id = application.client_id;
			return { application, isAuthenticated: false };
		}
	}
	return { application: await verifyClientSecret(context, client_id, client_secret ?? ''), isAuthenticated: true };
}

/**
 * The credentials of a request, from its header or its form (RFC 6749, section 2.3.1).
 * @returns without a secret where none was sent
 * @throws ProtocolError `invalid_request`
 */
export function readCredentials(
	context: Context,
	form: FormFields
): readonly [client_id: string, client_secret: string | undefined] {
	const client_id = form.get('client_id');
	const client_secret = form.get('client_secret');
	const header = context.header('authorization');
	if (header !== undefined && !context.dialect.authentication.includes('basic')) {
		throw invalidRequest(
			'Send client_id and client_secret in the body. This service does not accept credentials in a header.',
			'credentials_in_header',
			{ received: ['Authorization header'], expected: ['client_id and client_secret in the body'] }
		);
	}
	const basic = basicCredentials(header);
	if (basic !== undefined) {
		if (client_secret !== undefined)
			throw invalidRequest('Send the credentials once: in the header or in the body.', 'credentials_sent_twice');
		if (client_id !== undefined && client_id !== basic[0])
			throw invalidRequest('The header and the body name different clients.', 'client_ids_differ', {
				received: [client_id],
				expected: [basic[0]]
			});
		return basic;
	}
	if (client_id === undefined) throw invalidRequest('The field client_id is missing.', 'missing_client_id');
	return [client_id, client_secret];
}

/**
 * The application with these credentials (RFC 6749, section 2.3.1). An unknown client and a wrong secret cause the same error
 * after the same work. All unknown client ids of an address share one counter, so made-up ids cannot fill the store.
 * @throws ProtocolError `invalid_client`, `too_many_attempts`
 */
async function verifyClientSecret(context: Context, client_id: string, client_secret: string): Promise<Application> {
	const application = await context.store.get('application', client_id);
	const { salt, digest } = application?.secret ?? unknownClient;
	const sent = `${salt}:${client_secret.slice(0, maxSecret)}`;
	const actual = context.credentialOverrides.get(client_secret) ?? context.options.digest(sent);
	const matches = timingSafeEqual(actual, digest) && client_secret.length <= maxSecret;
	if (application === undefined || !matches) {
		await recordFailedAttempt(context, 'client', application?.client_id);
		throw invalidClient(context, client_id, application !== undefined, client_secret === '');
	}
	context.client_id = application.client_id;
	return application;
}

/** The same error for an unknown client and for a wrong secret. A client that used the header gets a challenge for it. */
function invalidClient(context: Context, client_id: string, isKnown: boolean, isSecretMissing: boolean): ProtocolError {
	const secretCause = isSecretMissing ? 'missing_secret' : 'wrong_secret';
	const isBasic = context.dialect.authentication.includes('basic') && context.header('authorization') !== undefined;
	return new ProtocolError(
		'invalid_client',
		isSecretMissing
			? 'client_secret is missing. Send it with the client_id.'
			: 'No application has this client_id and client_secret. Both must match the registration exactly.',
		{
			cause: isKnown ? secretCause : 'unknown_client',
			received: [client_id],
			...(isBasic && { headers: ['WWW-Authenticate', 'Basic realm="token endpoint"'] })
		}
	);
}

function invalidRequest(description: string, cause: Cause, details: ErrorDetails = {}): ProtocolError {
	return new ProtocolError('invalid_request', description, { ...details, cause });
}
