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
const basicChallenge = ['WWW-Authenticate', 'Basic realm="token endpoint"'];
const unknownClient: HashedSecret = { salt: 'unknown', digest: '0'.repeat(43) };

/** Creates a client secret of 256 bits and its stored form. */
export function createSecret(options: ServiceOptions): { client_secret: string; secret: HashedSecret } {
	const client_secret = base64url(options.random(32));
	const salt = base64url(options.random(12));
	return { client_secret, secret: { salt, digest: options.digest(`${salt}:${client_secret}`) } };
}

/** A client that registered itself lasts once it is used. */
export async function keepClient({ store }: Context, { client_id, expires }: Application): Promise<void> {
	if (expires === undefined) return;
	await store.update('application', client_id, (now) => {
		if (now === undefined) return undefined;
		const { expires: _, ...rest } = now;
		return rest;
	});
}

/** What a request says of the client that sends it. */
export type SentCredentials = {
	readonly client_id: string;
	/** Undefined where none was sent. */
	readonly client_secret: string | undefined;
	/** The secret of the header as a client means it that did not form-encode it. */
	readonly unencodedSecret?: string;
	/** Where the credentials were (RFC 7591, section 2). */
	readonly method: 'client_secret_basic' | 'client_secret_post' | 'none';
	/** False: the secret of the header cannot be decoded. Absent: true. */
	readonly isFormEncoded?: boolean;
};

/**
 * The application that sends a request: with its secret, or without one if it is an installed application and the dialect allows
 * that (RFC 8252, section 8.5).
 * @returns the application, and whether it proved who it is
 * @throws ProtocolError `invalid_client`, `too_many_attempts`
 */
export async function authenticateClient(
	context: Context,
	sent: SentCredentials
): Promise<{ readonly application: Application; readonly isAuthenticated: boolean }> {
	const { client_id, client_secret } = sent;
	if (context.dialect.metadata && (await context.store.get('application', client_id))?.jwks !== undefined)
		throw new ProtocolError(
			'invalid_client',
			'This application has registered keys. Sign a client_assertion in place of a secret (RFC 7523).',
			{
				cause: 'assertion_required',
				received: [client_secret === undefined ? 'no secret' : 'client_secret'],
				expected: ['client_assertion']
			}
		);
	if (client_secret === undefined && context.dialect.authentication.includes('none')) {
		const application = await context.store.get('application', client_id);
		if (application?.kind === 'installed') {
			context.client_id = application.client_id;
			return { application, isAuthenticated: false };
		}
	}
	const application = await verifyClientSecret(context, sent);
	requireRegisteredMethod(context, application, sent);
	return { application, isAuthenticated: true };
}

/**
 * The credentials of a request, from its header or its form (RFC 6749, section 2.3.1).
 * @param withoutClient the error of a request without credentials
 * @throws ProtocolError `invalid_request`, `invalid_client`
 */
export function readCredentials(
	context: Context,
	form: FormFields,
	withoutClient: 'invalid_request' | 'invalid_client' = 'invalid_request'
): SentCredentials {
	const client_id = form.get('client_id');
	const client_secret = form.get('client_secret');
	const inForm = client_secret === undefined ? 'none' : 'client_secret_post';
	const header = context.header('authorization');
	if (header !== undefined && !context.dialect.authentication.includes('basic')) {
		throw invalidRequest(
			'Send client_id and client_secret in the body. This service does not accept credentials in a header.',
			'credentials_in_header',
			{ received: ['Authorization header'], expected: ['client_id and client_secret in the body'] }
		);
	}
	const basic = basicCredentials(header);
	if (basic === 'malformed') {
		throw new ProtocolError(
			'invalid_client',
			'The Authorization header is malformed. After Basic comes the base64 of client_id:client_secret.',
			{
				cause: 'malformed_header',
				expected: ['Basic base64(client_id:client_secret)'],
				headers: basicChallenge
			}
		);
	}
	if (basic !== undefined) {
		const { client_secret: inHeader } = basic;
		if (client_secret !== undefined && inHeader !== '')
			throw invalidRequest('Send the credentials once: in the header or in the body.', 'credentials_sent_twice');
		if (client_id !== undefined && client_id !== basic.client_id)
			throw invalidRequest('The header and the body name different clients.', 'client_ids_differ', {
				received: [client_id],
				expected: [basic.client_id]
			});
		// An empty secret is none (RFC 6749, section 2.3.1): clients without one send such a header, too.
		if (inHeader === '') return { client_id: basic.client_id, client_secret, method: inForm };
		return { ...basic, method: 'client_secret_basic' };
	}
	if (client_id !== undefined) return { client_id, client_secret, method: inForm };
	if (header === undefined)
		throw new ProtocolError(withoutClient, 'The field client_id is missing.', {
			cause: 'missing_client_id',
			...(withoutClient === 'invalid_client' && { headers: basicChallenge })
		});
	throw new ProtocolError(
		'invalid_client',
		'The scheme of the Authorization header is not supported. Send client_id and client_secret with Basic, or in the form.',
		{ cause: 'other_scheme', expected: ['Basic'], headers: basicChallenge }
	);
}

/**
 * The application with these credentials (RFC 6749, section 2.3.1). An unknown client and a wrong secret cause the same error
 * after the same work. All unknown client ids of an address share one counter, so made-up ids cannot fill the store.
 * @throws ProtocolError `invalid_client`, `too_many_attempts`
 */
async function verifyClientSecret(context: Context, credentials: SentCredentials): Promise<Application> {
	const { client_id, client_secret = '', unencodedSecret = client_secret, isFormEncoded = true } = credentials;
	const application = await context.store.get('application', client_id);
	const { salt, digest } = application?.secret ?? unknownClient;
	const isSecret = (secret: string) => {
		const sent = `${salt}:${secret.slice(0, maxSecret)}`;
		const actual = context.credentialOverrides.get(secret) ?? context.options.digest(sent);
		return timingSafeEqual(actual, digest) && secret.length <= maxSecret;
	};
	const matches = isFormEncoded && isSecret(client_secret);
	const isUnencoded = !matches && isSecret(unencodedSecret);
	if (application === undefined || !matches) {
		await recordFailedAttempt(context, 'client', application?.client_id);
		const isKnown = application !== undefined;
		if (isKnown && isUnencoded) throw notFormEncoded(client_id);
		throw invalidClient(context, client_id, isKnown, client_secret === '');
	}
	context.client_id = application.client_id;
	return application;
}

/** A client uses the method that the response to its registration named (RFC 7591, section 2). */
function requireRegisteredMethod(context: Context, application: Application, { method }: SentCredentials): void {
	const { token_endpoint_auth_method: registered = method } = application;
	if (registered === method || !context.dialect.metadata) return;
	throw new ProtocolError(
		'invalid_client',
		`The client registered ${registered} as token_endpoint_auth_method, and the request has ${method}.`,
		{ cause: 'other_method', received: [method], expected: [registered], headers: basicChallenge }
	);
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
			...(isBasic && { headers: basicChallenge })
		}
	);
}

/** The error for the right secret in the header, of a client that did not form-encode it. */
function notFormEncoded(client_id: string): ProtocolError {
	return new ProtocolError(
		'invalid_client',
		'The client_secret in the Authorization header is not form-encoded (RFC 6749, section 2.3.1). Encode client_id and client_secret before base64.',
		{
			cause: 'not_form_encoded',
			received: [client_id],
			expected: ['Basic base64(form-encoded client_id:form-encoded client_secret)'],
			headers: basicChallenge
		}
	);
}

function invalidRequest(description: string, cause: Cause, details: ErrorDetails = {}): ProtocolError {
	return new ProtocolError('invalid_request', description, { ...details, cause });
}
