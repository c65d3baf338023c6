import type { Context } from '../context.ts';
import { base64url, timingSafeEqual } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { recordFailedAttempt, type AttemptTarget } from '../checks/attempt-limits.ts';
import type { Application, HashedSecret } from '../records.ts';
import type { ServiceOptions } from '../service.ts';

/** The longest secret that is looked at, in characters. */
const longestSecret = 512;
const unknownClient: HashedSecret = { salt: 'nobody', digest: '0'.repeat(43) };

/** A new client secret with its stored form: 256 bits. */
export function createSecret(options: ServiceOptions): { client_secret: string; secret: HashedSecret } {
	const client_secret = base64url(options.random(32));
	const salt = base64url(options.random(12));
	return { client_secret, secret: { salt, digest: options.digest(`${salt}:${client_secret}`) } };
}

/**
 * The application that presents these credentials (RFC 6749, section 2.3.1). An unknown client and a wrong secret give
 * the same error after the same work. Names that nobody registered share one count of failed guesses: strangers can't fill
 * the store with them.
 * @throws ProtocolError `invalid_client`, `too_many_attempts`
 */
export async function verifyClientSecret(
	context: Context,
	client_id: string,
	client_secret: string
): Promise<Application> {
	const application = await context.sandbox.store.get('application', client_id);
	const guess: AttemptTarget = `client ${application?.client_id.slice(0, 64) ?? ''} ${context.address}`;
	const { salt, digest } = application?.secret ?? unknownClient;
	const given = context.options.digest(`${salt}:${client_secret.slice(0, longestSecret)}`);
	const matches = timingSafeEqual(given, digest) && client_secret.length <= longestSecret;
	if (application === undefined || !matches) {
		await recordFailedAttempt(context, guess);
		throw invalidClient();
	}
	context.client_id = application.client_id;
	return application;
}

/** The error for an unknown client and a wrong secret alike. */
function invalidClient(): ProtocolError {
	return new ProtocolError(
		'invalid_client',
		'No application has this client_id and client_secret. Both must be exactly as issued at registration.'
	);
}
