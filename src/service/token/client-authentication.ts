import type { Cause } from '#api/checks.ts';
import type { Context } from '../core/context.ts';
import { base64url, timingSafeEqual } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
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
 * The application with these credentials (RFC 6749, section 2.3.1). An unknown client and a wrong secret cause the same error
 * after the same work. All unknown client ids of an address share one counter, so made-up ids cannot fill the store.
 * @throws ProtocolError `invalid_client`, `too_many_attempts`
 */
export async function verifyClientSecret(
	context: Context,
	client_id: string,
	client_secret: string
): Promise<Application> {
	const application = await context.sandbox.store.get('application', client_id);
	const { salt, digest } = application?.secret ?? unknownClient;
	const sent = `${salt}:${client_secret.slice(0, maxSecret)}`;
	const actual = context.credentialOverrides.get(client_secret) ?? context.options.digest(sent);
	const matches = timingSafeEqual(actual, digest) && client_secret.length <= maxSecret;
	if (application === undefined || !matches) {
		await recordFailedAttempt(context, 'client', application?.client_id);
		const cause = client_secret === '' ? 'missing_secret' : 'wrong_secret';
		throw invalidClient(client_id, application === undefined ? 'unknown_client' : cause);
	}
	context.client_id = application.client_id;
	return application;
}

/** The same error for an unknown client and for a wrong secret. */
function invalidClient(client_id: string, cause: Cause): ProtocolError {
	return new ProtocolError(
		'invalid_client',
		'No application has this client_id and client_secret. Both must match the registration exactly.',
		{ cause, received: [client_id] }
	);
}
